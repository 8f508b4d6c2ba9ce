// Talks to the OpenID Connect provider: authorization code flow with PKCE. The library is loaded, and the provider's
// settings are read, when somebody signs in: a provider that is down never stops the start.
import type { ClientAuth, Configuration } from 'openid-client'
import type { OidcSettings } from '../config.ts'
import { mergeClaims, readSignOnProfile, type SignOnProfile } from './sign-on-profile.ts'

/** Less than the 10.5 s after which a request gets 503. */
const PROVIDER_MAX_MS = 9_000
/** How long the provider's settings are trusted. */
const SETTINGS_MS = 3_600_000

export type SignOnChecks = { state: string; nonce: string; verifier: string }

/** The person refused at the provider. */
export class SignOnDenied extends Error {
  override name = 'SignOnDenied'
}

const library = () => import('openid-client')
type Library = Awaited<ReturnType<typeof library>>

export type OidcClient = ReturnType<typeof createOidcClient>

/** Tests change these. `elapsed` is monotonic, in milliseconds. */
type Times = { elapsed?: () => number; max_ms?: number }

/** `redirect_uri`: where the provider sends people back. */
export function createOidcClient(settings: OidcSettings, redirect_uri: string, times: Times = {}) {
  const { elapsed = () => performance.now(), max_ms = PROVIDER_MAX_MS } = times
  let known: { provider: Configuration; at: number } | null = null

  async function findProvider(client: Library): Promise<Configuration> {
    if (known && elapsed() - known.at < SETTINGS_MS) return known.provider
    const provider = await discover(client, settings, max_ms)
    known = { provider, at: elapsed() }
    return provider
  }

  return {
    /** Returns the provider's page, and what must be kept until the person comes back. Throws if the provider is down. */
    async begin(): Promise<{ url: string; checks: SignOnChecks }> {
      const client = await library()
      const provider = await findProvider(client)
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri,
        scope: settings.scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },

    /** Redeems the code in the query of the person's return. Throws `SignOnDenied`, or whatever went wrong. */
    async finish(search: string, checks: SignOnChecks): Promise<SignOnProfile> {
      const client = await library()
      const work = async () =>
        readSignOnProfile(await redeem(client, await findProvider(client), search, checks))
      return await within(max_ms, work()).catch(error => {
        const denied = error instanceof client.AuthorizationResponseError && error.error === 'access_denied'
        throw denied ? new SignOnDenied() : error
      })
    },
  }

  async function redeem(client: Library, provider: Configuration, search: string, checks: SignOnChecks) {
    const { state, nonce, verifier } = checks
    const tokens = await client.authorizationCodeGrant(provider, new URL(redirect_uri + search), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims: Record<string, unknown> = { ...tokens.claims() }
    const isComplete = ['email', 'email_verified', 'name'].every(name => claims[name] !== undefined)
    if (isComplete || !provider.serverMetadata().userinfo_endpoint) return claims
    // Many providers give the address only here.
    return mergeClaims(claims, await client.fetchUserInfo(provider, tokens.access_token, String(claims.sub)))
  }
}

function discover(client: Library, settings: OidcSettings, max_ms: number): Promise<Configuration> {
  const { issuer, client_id, client_secret } = settings
  const basic = client.ClientSecretBasic(client_secret)
  const post = client.ClientSecretPost(client_secret)
  // Every provider must support the first unless it says otherwise.
  const authenticate: ClientAuth = (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  const options = { timeout: max_ms / 1000, execute }
  return client.discovery(new URL(issuer), client_id, client_secret, authenticate, options)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, new Error('the provider takes too long'))
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** For the log: what went wrong, without the codes and tokens that the library keeps with its errors. */
export function describeFailure(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { reason: String(error) }
  const { message, cause } = error
  const detail = cause instanceof Error ? { cause: cause.message } : {}
  const read = (name: string) => (name in error ? { [name]: Reflect.get(error, name) } : {})
  return { reason: message, ...read('code'), ...read('error'), ...read('error_description'), ...detail }
}
