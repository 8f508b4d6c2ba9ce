// The keys that decisions are signed with: their public halves, several instances, rotation and revocation.

import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { verifyDecision } from '../../client/verify.ts'
import { keepSigningKey, revokeKey } from '../../server/decisions/signing-keys.ts'
import { type KeyPair, keyPairOf, newPrivateJwk } from '../../server/key-pair.ts'
import { ask } from '../support/decisions.ts'
import { runInstance, runService } from '../support/running.ts'
import { buildScene, sceneAt } from '../support/scene.ts'
import { startTestService } from '../support/service.ts'
import { headerOf } from '../support/signed-decisions.ts'
import { times } from '../support/times.ts'

const newKey = () => keyPairOf(newPrivateJwk())
const log = pino({ level: 'silent' })

const here = await runService()
const there = await runInstance(here)
const { sql } = here
const scene = await buildScene(here)

/** One more instance, until the test ends. */
async function start(signing_key: KeyPair) {
  const service = await startTestService({}, { database: here.database, signing_key })
  onTestFinished(() => service.stop())
  return service
}

type At = { url: string }
type Jwks = { keys: { kid: string; kty: string; crv: string; x: string; use: string; alg: string }[] }
const readKeys = async ({ url }: At): Promise<Jwks> => (await fetch(`${url}/.well-known/jwks.json`)).json()
const kidsAt = async (service: At) => (await readKeys(service)).keys.map(({ kid }) => kid)

type Signed = { jws: string; kid: string; issuer: string }

/** Somebody decides at this instance. */
async function decide(
  service: At,
  { account, channel_id, interact } = sceneAt(service, scene),
): Promise<Signed> {
  const { card_id, path } = await ask(account.key, channel_id)
  const { status } = await interact({ card_id, trigger: { type: 'button_click', button_id: 'yes' } })
  expect(status).toBe(201)
  const { jws } = (await account.key<{ jws: string }>('GET', `${path}/signed`)).body
  return { jws, kid: String(headerOf(jws).kid), issuer: service.url }
}

/** With the keys that the instance publishes. */
const check = async ({ jws, issuer }: Signed, service: At = here) =>
  verifyDecision(jws, { issuer, jwks: await readKeys(service), any_choice: true })

describe('the published keys', () => {
  test('a key is published when it has signed, and its public half is stored before', async () => {
    const service = await startTestService()
    onTestFinished(() => service.stop())
    expect(await readKeys(service)).toEqual({ keys: [] })
    const [row] = await service.sql<{ kid: string; jwk: object; first_used_at: string | null }[]>`
      select kid, jwk, first_used_at from signing_keys`
    expect(row).toEqual({
      kid: expect.any(String),
      jwk: { kty: 'OKP', crv: 'Ed25519', x: expect.any(String) },
      first_used_at: null,
    })
    const { jws, kid } = await decide(service, await buildScene(service))
    expect(kid).toBe(row?.kid)
    expect(await readKeys(service)).toEqual({
      keys: [{ ...row?.jwk, kid: row?.kid, use: 'sig', alg: 'EdDSA' }],
    })
    expect(await verifyDecision(jws, { issuer: service.url, any_choice: true })).toMatchObject({ v: 1 })
  })

  test('a key that is used first by many channels at once is stored once, and all presses count', async () => {
    const service = await startTestService({ WORKSPACE_LIMIT: '0' })
    onTestFinished(() => service.stop())
    const scenes = await times(12, () => buildScene(service))
    const signatures = await Promise.all(scenes.map(one => decide(service, one)))
    expect(new Set(signatures.map(({ kid }) => kid)).size).toBe(1)
    expect(await service.sql`select from signing_keys where first_used_at is not null`).toHaveLength(1)
  })

  test('any origin may read them without a key, and a cache may keep them for five minutes', async () => {
    await decide(here)
    const url = `${here.url}/.well-known/jwks.json`
    const { headers } = await fetch(url, { headers: { Origin: 'https://elsewhere.example' } })
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(headers.get('Content-Type')).toBe('application/json')
    const etag = headers.get('ETag') ?? ''
    const again = await fetch(url, { headers: { 'If-None-Match': etag } })
    expect([again.status, again.headers.get('ETag')]).toEqual([304, etag])
    const preflight = await fetch(url, { method: 'OPTIONS' })
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('If-None-Match')
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  })
})

describe('several keys', () => {
  test('two instances with different keys publish both, and each verifies what the other signed', async () => {
    const signatures = [await decide(here), await decide(there)]
    expect(new Set(signatures.map(({ kid }) => kid)).size).toBe(2)
    for (const service of [here, there]) {
      for (const signed of signatures) await check(signed, service)
    }
  })

  test('after a rotation, signatures of the key before are still valid', async () => {
    const [first, second] = [await newKey(), await newKey()]
    const before = await decide(await start(first))
    const service = await start(second)
    const after = await decide(service)
    expect([before.kid, after.kid]).toEqual([first.kid, second.kid])
    for (const signed of [before, after]) await check(signed, service)
  })

  test('a revoked key leaves every instance’s list, and its signatures are refused', async () => {
    const signing_key = await newKey()
    const stolen = await start(signing_key)
    const signed = await decide(stolen)
    expect(await revokeKey(sql, signed.kid)).toBe(true)
    for (const service of [here, there, stolen]) expect(await kidsAt(service)).not.toContain(signed.kid)
    await expect(check(signed)).rejects.toMatchObject({ code: 'signature' })
    // The instance that still has the key signs on. Nobody accepts that, even after its next start.
    await keepSigningKey({ sql, log, signing_key })
    await expect(check(await decide(stolen))).rejects.toMatchObject({ code: 'signature' })
    expect(await revokeKey(sql, 'unknown')).toBe(false)
  })
})

describe('keys in the table', () => {
  const kids = async () =>
    new Set((await sql<{ kid: string }[]>`select kid from signing_keys`).map(({ kid }) => kid))
  const age = (kid: string) => sql`
    update signing_keys set in_use_at = in_use_at - interval '25 hours' where kid = ${kid}`

  test('a key that signed nothing leaves after a day out of use; one that signed or is revoked stays', async () => {
    const [unused, recent, revoked, running] = await times(4, newKey)
    if (!unused || !recent || !revoked || !running) throw new Error('four keys were made')
    for (const signing_key of [unused, recent, revoked, running])
      await keepSigningKey({ sql, log, signing_key })
    const { kid: used } = await decide(here)
    await revokeKey(sql, revoked.kid)
    for (const kid of [unused.kid, revoked.kid, running.kid, used]) await age(kid)
    await keepSigningKey({ sql, log, signing_key: running })
    const left = await kids()
    expect(left).not.toContain(unused.kid)
    for (const kid of [recent.kid, revoked.kid, running.kid, used]) expect(left).toContain(kid)
  })

  test('a key that the database lost is stored again with its next signature', async () => {
    const { kid } = await decide(here)
    await sql`delete from signing_keys where kid = ${kid}`
    const signed = await decide(here)
    await check(signed, there)
  })

  test('a key that is revoked before its first use is never published', async () => {
    const signing_key = await newKey()
    const service = await start(signing_key)
    expect(await revokeKey(sql, signing_key.kid)).toBe(true)
    await expect(check(await decide(service), service)).rejects.toMatchObject({ code: 'signature' })
  })
})
