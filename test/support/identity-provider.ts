// A real OpenID Connect provider on a port of its own. It signs in whoever the test names, without asking.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Provider, { type Context } from 'oidc-provider'
import { afterAll } from 'vitest'
import { freePort } from './ports.ts'

export type Person = {
  sub: string
  email?: string
  email_verified?: unknown
  name?: string
  preferred_username?: string
}

export const PUBLIC_URL = 'https://feed.example'
const CLIENT = { client_id: 'channel-feed', client_secret: 'a secret of the + test' }

export async function runIdentityProvider(options: Parameters<typeof startIdentityProvider>[0] = {}) {
  const provider = await startIdentityProvider(options)
  afterAll(provider.stop)
  return provider
}

/** `in_id_token`: the e-mail address and the name are in the ID token too, not only in the userinfo. */
export async function startIdentityProvider({ public_url = PUBLIC_URL, in_id_token = false } = {}) {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const provider = createProvider(issuer, `${public_url}/api/auth/oidc/callback`, in_id_token, sub =>
    people.get(sub),
  )
  const handle = provider.callback()
  const people = new Map<string, Person>()
  let sub = ''
  let denies = false
  let server: Server | null = null
  const requests: string[] = []

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    const denial = { error: 'access_denied', error_description: 'the person said no' }
    await provider.interactionFinished(request, response, denies ? denial : { login: { accountId: sub } })
  }

  async function start(): Promise<void> {
    const started = createServer((request, response) => void onRequest(request, response))
    server = started
    await new Promise<void>(resolve => started.listen(port, '127.0.0.1', resolve))
  }

  async function stop(): Promise<void> {
    const stopped = server
    server = null
    if (!stopped) return
    const closed = new Promise(resolve => stopped.close(resolve))
    stopped.closeAllConnections()
    await closed
  }

  await start()
  return {
    issuer,
    /** Method and path of each request. */
    requests,
    /** The service's settings for it. */
    env: {
      PUBLIC_URL: public_url,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
    /** Whom it signs in from now on. */
    signsIn(person: Person): void {
      people.set(person.sub, person)
      sub = person.sub
      denies = false
    },
    refuses(): void {
      denies = true
    },
    start,
    stop,
  }
}

function createProvider(
  issuer: string,
  redirect_uri: string,
  in_id_token: boolean,
  personOf: (sub: string) => Person | undefined,
): Provider {
  return new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirect_uri] }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
    },
    conformIdTokenClaims: !in_id_token,
    findAccount: (_: Context, accountId: string) => ({
      accountId,
      claims: () => personOf(accountId),
    }),
    interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    /** Nobody is asked for consent. */
    async loadExistingGrant({ oidc: { client, session, provider } }: Context) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    cookies: { keys: ['a key of tests'] },
    jwks: { keys: [signingKey()] },
    ttl: {
      Session: 3600,
      Grant: 3600,
      Interaction: 3600,
      AccessToken: 3600,
      IdToken: 3600,
      AuthorizationCode: 60,
    },
  })
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }
}
