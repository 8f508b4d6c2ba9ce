// How the service talks to a provider: when it reads its settings, how it proves itself, and how long it waits.
import { expect, test } from 'vitest'
import { createOidcClient } from '../../server/auth/oidc-client.ts'
import { runReceiver } from '../support/running.ts'

const REDIRECT = 'https://feed.example/api/auth/oidc/callback'
const json = (body: object) => ({
  kind: 'answer' as const,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** A provider that answers only with its settings. */
async function startProvider(settings: object = {}) {
  const receiver = await runReceiver()
  const { url: issuer } = receiver
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    ...settings,
  }
  receiver.behave(({ path }) => (path.startsWith('/.well-known/') ? json(metadata) : { kind: 'stall' }))
  const client = (times: Parameters<typeof createOidcClient>[2]) =>
    createOidcClient(
      { issuer, client_id: 'id', client_secret: 'a+b c', name: 'Single sign-on', scopes: 'openid' },
      REDIRECT,
      times,
    )
  return { receiver, client }
}

test('the settings of the provider are read at the first sign-in, and again after an hour', async () => {
  let elapsed = 0
  const { receiver, client } = await startProvider()
  const oidc = client({ elapsed: () => elapsed })
  expect(receiver.received).toHaveLength(0)
  await oidc.begin()
  elapsed += 3_599_999
  await oidc.begin()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration'])
  elapsed += 1
  await oidc.begin()
  expect(receiver.received).toHaveLength(2)
})

test('a provider that says nothing is given up in time, at the start and at the end', async () => {
  const { receiver, client } = await startProvider()
  const oidc = client({ max_ms: 100 })
  const { checks } = await oidc.begin()
  const back = oidc.finish(`?code=1&state=${checks.state}`, checks)
  await expect(back).rejects.toThrow()
  receiver.behave({ kind: 'stall' })
  await expect(client({ max_ms: 100 }).begin()).rejects.toThrow()
})

test.each([
  ['neither', {}, 'header'],
  [
    'both',
    { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] },
    'header',
  ],
  ['only a secret in the body', { token_endpoint_auth_methods_supported: ['client_secret_post'] }, 'body'],
])('a provider whose settings name %s gets the secret in the fitting place', async (_, settings, place) => {
  const { receiver, client } = await startProvider(settings)
  const oidc = client({ max_ms: 2_000 })
  const { checks } = await oidc.begin()
  const back = oidc.finish(`?code=1&state=${checks.state}`, checks)
  const [, sent] = await receiver.hasReceived(2)
  const { authorization } = sent?.headers ?? {}
  const secret = new URLSearchParams(sent?.body).get('client_secret')
  // The secret is encoded as a form's value first (RFC 6749, 2.3.1).
  if (place === 'header') expect(authorization).toBe(`Basic ${btoa('id:a%2Bb+c')}`)
  else expect(authorization).toBeUndefined()
  expect(secret).toBe(place === 'body' ? 'a+b c' : null)
  receiver.recover()
  await expect(back).rejects.toThrow()
})
