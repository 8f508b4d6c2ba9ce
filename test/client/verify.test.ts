// verifyDecision: what it accepts, and every way in which a signature or a decision must be refused.

import { spawnSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactVerify, createLocalJWKSet } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DecisionVerificationError, type VerifyOptions, verifyDecision } from '../../client/verify.ts'
import { createSigner } from '../../server/decisions/signing.ts'
import { keyPairOf, newPrivateJwk, parseKeyPair } from '../../server/key-pair.ts'
import { canonicalJson } from '../../shared/digested-card.ts'
import {
  cardOf,
  forge,
  forgeHmac,
  headerOf,
  recordOf,
  type Vector,
  vectors,
} from '../support/signed-decisions.ts'

const { issuer, jwks, key, decisions } = vectors
const trusted = { issuer, jwks }
const [approved, rejected, unapproving, withArguments] = decisions
if (!approved || !rejected || !unapproving || !withArguments) throw new Error('there are four vectors')

const codeOf = (jws: string, options: VerifyOptions): Promise<string> =>
  verifyDecision(jws, options).then(
    () => 'valid',
    error => (error instanceof DecisionVerificationError ? error.code : String(error)),
  )

describe('the published vectors', () => {
  test.each(decisions)(
    '$title: jose accepts it, and the claims are those published',
    async ({ jws, claims }) => {
      const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(jwks))
      expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims)
      expect(protectedHeader).toEqual({
        alg: 'EdDSA',
        // The thumbprint of RFC 8037, appendix A.3.
        kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        typ: 'channel-feed-decision+jws',
      })
    },
  )

  test.each(decisions)('$title: node:crypto accepts it', ({ jws }) => {
    const [header = '', payload = '', signature = ''] = jws.split('.')
    const public_key = createPublicKey({ key: { ...jwks.keys[0] }, format: 'jwk' })
    const text = Buffer.from(`${header}.${payload}`)
    expect(verify(null, text, public_key, Buffer.from(signature, 'base64url'))).toBe(true)
  })

  test.skipIf(spawnSync('openssl', ['version']).status !== 0)('openssl accepts all of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'channel-feed-openssl-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = (name: string) => join(folder, name)
    const public_key = createPublicKey({ key: { ...jwks.keys[0] }, format: 'jwk' })
    await writeFile(file('key.pem'), public_key.export({ type: 'spki', format: 'pem' }))
    for (const { jws } of decisions) {
      const [header = '', payload = '', signature = ''] = jws.split('.')
      await writeFile(file('text'), `${header}.${payload}`)
      await writeFile(file('signature'), Buffer.from(signature, 'base64url'))
      const inputs = ['-inkey', file('key.pem'), '-in', file('text'), '-sigfile', file('signature')]
      const { stdout } = spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', '-rawin', ...inputs])
      expect(String(stdout)).toBe('Signature Verified Successfully\n')
    }
  })

  test.each(decisions)('$title: the server makes exactly this signature', async vector => {
    const sign = createSigner(await keyPairOf(key), issuer)
    const { jws, card, values } = vector
    expect(sign(recordOf(vector), cardOf(vector))).toMatchObject({ jws, signed: { card, values } })
  })

  test.each(decisions)(
    '$title: it is accepted with its card and values',
    async ({ jws, claims, card, values }) => {
      const options = { ...trusted, decision_id: claims.jti, card, values, any_choice: true }
      expect(await verifyDecision(jws, options)).toEqual(claims)
    },
  )
})

describe('the signature', () => {
  const { jws, claims } = approved
  const header = headerOf(jws)
  const refused = async (given: string, options: VerifyOptions = trusted) =>
    expect(await codeOf(given, options)).toBe('signature')

  /** Each value of the claims, with the path to it. */
  const leaves = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]))
      : [path]
  const changed = (value: unknown, [name, ...rest]: string[]): unknown => {
    if (name === undefined)
      return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : 'x'
    return { ...Object(value), [name]: changed(Object(value)[name], rest) }
  }

  test.each(leaves(claims).map(path => [path.join('.'), path] as const))(
    'a changed %s makes it invalid',
    async (_, path) => {
      const [first, , last] = jws.split('.')
      const payload = Buffer.from(JSON.stringify(changed(claims, path))).toString('base64url')
      await refused([first, payload, last].join('.'))
    },
  )

  test('a signature with `Ed25519`, the newer name of the algorithm, is accepted', async () => {
    expect(await codeOf(forge({ ...header, alg: 'Ed25519' }, claims), trusted)).toBe('valid')
  })

  test('an unknown key is refused, whatever the token says about it', async () => {
    const own = newPrivateJwk()
    const { kid, jwk } = await keyPairOf(own)
    for (const more of [{ kid }, { kid, jwk }, { jwk }, { kid, jku: 'https://evil.example/jwks.json' }])
      await refused(forge({ ...header, ...more }, claims, own))
  })

  test('a token that names no key is refused, even if there is only one', async () => {
    const { kid: _, ...nameless } = header
    await refused(forge(nameless, claims))
  })

  test('`alg: none` is refused', async () => {
    const [, payload] = jws.split('.')
    const none = Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url')
    for (const signature of ['', jws.split('.')[2]]) await refused(`${none}.${payload}.${signature}`)
  })

  test('an HMAC with the public key as its secret is refused', async () => {
    const [public_jwk] = jwks.keys
    const pem = createPublicKey({ key: { ...public_jwk }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    for (const secret of [pem, Buffer.from(public_jwk?.x ?? '', 'base64url'), JSON.stringify(public_jwk)])
      await refused(forgeHmac({ ...header, alg: 'HS256' }, claims, secret))
  })

  test.each([
    ['of another type', forge({ ...header, typ: 'JWT' }, claims)],
    ['of no type', forge({ ...header, typ: undefined }, claims)],
    ['of another version', forge(header, { ...claims, v: 2 })],
    ['with an extension that must be understood', forge({ ...header, crit: ['b64'], b64: false }, claims)],
    ['with a list as its payload', forge(header, [claims])],
    ['that is cut', jws.slice(0, -1)],
    ['that is empty', ''],
  ])('a token %s is refused', (_, token) => refused(token))

  test('keys that are malformed, private or absent verify nothing', async () => {
    await refused(jws, { issuer, jwks: { keys: [] } })
    await refused(jws, { issuer, jwks: { keys: [{ ...key, kid: jwks.keys[0]?.kid }] } })
    await refused(jws, { issuer, jwks: JSON.parse('{"keys": null}') })
  })
})

describe('the decision', () => {
  test.each([
    ['https://feed.example.com', 'valid'],
    ['https://feed.example.com/', 'valid'],
    ['https://FEED.example.com', 'issuer'],
    ['https://feed.example.com.evil.example', 'issuer'],
    ['http://feed.example.com', 'issuer'],
    ['', 'issuer'],
  ])('the issuer %s is %s', async (given, code) => {
    expect(await codeOf(approved.jws, { issuer: given, jwks })).toBe(code)
  })

  test('another decision is refused', async () => {
    expect(await codeOf(approved.jws, { ...trusted, decision_id: rejected.claims.jti })).toBe('decision')
  })

  test('only the approving choice passes, unless any choice is asked for', async () => {
    for (const { jws } of [rejected, unapproving]) {
      expect(await codeOf(jws, trusted)).toBe('not_approved')
      expect(await codeOf(jws, { ...trusted, any_choice: true })).toBe('valid')
    }
    const { jws, claims } = unapproving
    for (const odd of [{ approved: true }, { approved: 1, approves: 'reject' }, { approves: 'approve' }])
      expect(await codeOf(forge(headerOf(jws), { ...claims, ...odd }), trusted)).toBe('not_approved')
  })

  const { card, values } = approved
  const [first] = card.blocks

  test.each<[string, Vector['card'] | null]>([
    ['another status', { ...card, status: 'success' }],
    ['a block less', { ...card, blocks: card.blocks.slice(1) }],
    ['another order', { ...card, blocks: card.blocks.toReversed() }],
    ['other words', JSON.parse(JSON.stringify(card).replace('2.4.0', '2.4.1'))],
    ['another question', JSON.parse(JSON.stringify(card).replace('"agents":false', '"agents":true'))],
    ['the card of another channel', { ...card, channel_id: card.card_id }],
    ['no card', null],
  ])('%s is refused as the card', async (_, given) => {
    expect(await codeOf(approved.jws, { ...trusted, card: given })).toBe('card')
  })

  test('the order of a card’s keys does not matter', async () => {
    const turned = JSON.parse(JSON.stringify(card), (_, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    )
    expect(Object.keys(turned)).not.toEqual(Object.keys(card))
    expect(await codeOf(approved.jws, { ...trusted, card: turned })).toBe('valid')
    expect(first?.type).toBe('text')
  })

  test.each([{ ...values, note: 'now' }, { note: 'after lunch' }, { ...values, pin: 'sesame' }, {}, null])(
    '%o are refused as the values',
    async given => expect(await codeOf(approved.jws, { ...trusted, values: given })).toBe('values'),
  )

  test('values of a card without inputs are refused', async () => {
    const options = { ...trusted, any_choice: true }
    expect(await codeOf(rejected.jws, { ...options, values: {} })).toBe('values')
    expect(await codeOf(rejected.jws, { ...options, values: null })).toBe('valid')
  })

  test.each(['decision_id', 'card', 'values', 'args'])(
    '%s that is given as undefined is refused',
    async name => {
      for (const { jws } of [withArguments, rejected])
        expect(await codeOf(jws, { ...trusted, any_choice: true, [name]: undefined })).not.toBe('valid')
    },
  )
})

describe('the arguments', () => {
  const args = { path: '/srv/a\u202e.txt', force: true, retries: 3 }
  const { jws, claims, card } = withArguments

  test.each<[string, unknown, string]>([
    ['as they were shown', args, 'valid'],
    ['in another order', { retries: 3, force: true, path: args.path }, 'valid'],
    ['that differ', { ...args, force: false }, 'args'],
    ['of another type', { ...args, retries: '3' }, 'args'],
    ['without one of them', { path: args.path, force: true }, 'args'],
    ['with one more', { ...args, mode: 'all' }, 'args'],
    ['as text', JSON.stringify(args), 'args'],
    ['that are no JSON', () => args, 'args'],
  ])('arguments %s: %s', async (_, given, code) => {
    expect(await codeOf(jws, { ...trusted, card, args: given })).toBe(code)
  })

  test('arguments without the card are refused', async () => {
    expect(await codeOf(jws, { ...trusted, args })).toBe('args')
  })

  /** The same approval of a card whose block `args` is this one. */
  const codeWith = async (block: object, given: unknown) => {
    const shown = JSON.parse(canonicalJson(card))
    shown.blocks[1] = { ...shown.blocks[1], ...block }
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(shown)))
    const digest = `sha-256:${Buffer.from(hash).toString('base64url')}`
    const signed = forge(headerOf(jws), { ...claims, card: { ...claims.card, digest } })
    return codeOf(signed, { ...trusted, card: shown, args: given })
  }

  test.each([
    ['{"path": "/safe", "path": "/"}', { path: '/' }],
    ['{"path": {}, "path": "/"}', { path: '/' }],
    ['{"p\\u0061th": "/safe", "path": "/"}', { path: '/' }],
    ['{"list": [{"a": 1, "a": 2}]}', { list: [{ a: 2 }] }],
    ['{"cents": 9007199254740993}', { cents: 9007199254740992 }],
    ['{"rate": 0.10000000000000000001}', { rate: 0.1 }],
    ['{"path": "/"', { path: '/' }],
    ['', undefined],
  ])('%s shows people something else than %o', async (content, given) => {
    expect(await codeWith({ content }, given)).toBe('args')
  })

  test.each([
    ['{"a": "\\u0041\\n", "10": [1, -2.5e+21, null], "9": {}}', { 9: {}, 10: [1, -2.5e21, null], a: 'A\n' }],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
    ['{"a": "b, \\"c\\": [1] {"}', { a: 'b, "c": [1] {' }],
  ])('%s shows %o', async (content, given) => {
    expect(await codeWith({ content }, given)).toBe('valid')
    expect(await codeWith({ content, type: 'code' }, given)).toBe('valid')
    expect(await codeWith({ content, type: 'markdown' }, given)).toBe('args')
    expect(await codeWith({ content, id: 'other' }, given)).toBe('args')
  })
})

test.each([
  ['is no JSON', 'x'],
  ['is a public key', JSON.stringify({ ...key, d: undefined })],
  ['is of another kind', JSON.stringify({ ...key, crv: 'X25519' })],
  ['has another public half', JSON.stringify({ ...key, x: newPrivateJwk().x })],
  ['has a short private half', JSON.stringify({ ...key, d: 'AAAA' })],
])('a text that %s is no signing key', async (_, text) => {
  expect(await parseKeyPair(text)).toBeNull()
})
