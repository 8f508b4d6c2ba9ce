// verifyDecision with the keys that the issuer publishes, and with the cards that a review makes.
import { createServer, type RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { verifyDecision } from '../../client/verify.ts'
import { answerNext } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { listenOn } from '../support/ports.ts'
import { runWithOwner } from '../support/running.ts'
import { forge, headerOf, vectors } from '../support/signed-decisions.ts'

const { jwks, decisions } = vectors
const [approved] = decisions
if (!approved) throw new Error('there is a vector')
const header = headerOf(approved.jws)

/** Publishes keys. `requests`: the paths that were asked for. */
async function startIssuer(respond: RequestListener) {
  const requests: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requests.push(request.url)
    respond(request, response)
  })
  const issuer = `http://127.0.0.1:${await listenOn(server)}`
  onTestFinished(() => void server.close())
  const jws = forge(header, { ...approved?.claims, iss: issuer })
  return { issuer, requests, verify: (given = jws) => verifyDecision(given, { issuer }) }
}

/** Moves the wall clock only. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  onTestFinished(() => void vi.useRealTimers())
}

describe('the issuer’s keys', () => {
  test('the keys are fetched from the well-known address, and kept for ten minutes', async () => {
    let keys: object[] = jwks.keys
    const { issuer, requests, verify } = await startIssuer((_, response) =>
      response.end(JSON.stringify({ keys })),
    )
    expect((await verify()).iss).toBe(issuer)
    keys = []
    later(9 * 60_000)
    await verify()
    expect(requests).toEqual(['/.well-known/jwks.json'])
    later(2 * 60_000)
    await expect(verify()).rejects.toMatchObject({ code: 'signature' })
    expect(requests).toHaveLength(2)
  })

  test('a new key is fetched when a signature names it, but not for each unknown name', async () => {
    let keys: object[] = []
    const { issuer, requests, verify } = await startIssuer((_, response) =>
      response.end(JSON.stringify({ keys })),
    )
    for (let i = 0; i < 5; i++) await expect(verify()).rejects.toMatchObject({ code: 'signature' })
    expect(requests).toHaveLength(1)
    keys = jwks.keys
    later(1_100)
    expect((await verify()).iss).toBe(issuer)
    expect(requests).toHaveLength(2)
  })

  test.each<[string, RequestListener]>([
    ['500', (_, response) => response.writeHead(500).end(JSON.stringify(jwks))],
    ['a redirect', (_, response) => response.writeHead(302, { Location: 'https://evil.example/' }).end()],
    ['a page', (_, response) => response.end('<!doctype html>')],
    ['an empty list', (_, response) => response.end('{"keys": []}')],
    ['a broken connection', ({ socket }) => socket.destroy()],
  ])('with %s instead of the keys, nothing is valid', async (_, respond) => {
    const { verify } = await startIssuer(respond)
    await expect(verify()).rejects.toMatchObject({ name: 'DecisionVerificationError', code: 'signature' })
  })

  test('a failed fetch is tried again by the next call', async () => {
    let ready = false
    const { verify } = await startIssuer((_, response) =>
      ready ? response.end(JSON.stringify(jwks)) : response.writeHead(503).end(),
    )
    await expect(verify()).rejects.toMatchObject({ code: 'signature' })
    ready = true
    await verify()
  })

  test('a token’s own address is never asked for', async () => {
    const evil = await startIssuer((_, response) => response.end(JSON.stringify(jwks)))
    const { requests, verify } = await startIssuer((_, response) => response.end('{"keys": []}'))
    const jku = `${evil.issuer}/.well-known/jwks.json`
    await expect(
      verify(forge({ ...header, jku }, { ...approved.claims, iss: evil.issuer })),
    ).rejects.toThrow()
    expect([evil.requests.length, requests.length]).toEqual([0, 1])
  })

  test('an issuer that is no address is refused', async () => {
    await expect(verifyDecision(approved.jws, { issuer: 'feed' })).rejects.toMatchObject({
      code: 'signature',
    })
  })
})

test('an approved review verifies with exactly its arguments, which people could see whole', async () => {
  const { service, ann } = await runWithOwner()
  const feed = new ChannelFeed({ url: service.url, key: ann.api_key }).channel(
    await createChannel(ann, { mode: 'interactive' }),
  )
  const args = { path: '/srv/a\u202eb.txt', 10: [1, null], 9: { deep: 'x' }, note: 'a\n"b"' }
  const review = feed.review({ action: 'delete_file', args, allow: ['approve', 'reject'] })
  const { id } = await answerNext(ann, feed.id, { button_id: 'approve' })
  expect((await review).type).toBe('approve')
  const { body } = await ann.key<{ jws: string; card: never }>(
    'GET',
    `/channels/${feed.id}/decisions/${id}/signed`,
  )
  const options = { issuer: service.url, decision_id: id, card: body.card }
  const claims = await verifyDecision(body.jws, { ...options, args })
  expect(claims).toMatchObject({ approved: true, by: { kind: 'owner', name: 'Ann' }, card: { seen: true } })
  await expect(verifyDecision(body.jws, { ...options, args: { ...args, path: '/' } })).rejects.toMatchObject({
    code: 'args',
  })
})

test('a bundle of channel-feed/verify has at most 20 KB, and nothing of Node', async () => {
  const entry = fileURLToPath(new URL('../../client/verify.ts', import.meta.url))
  const lib = { entry, formats: ['es' as const], fileName: 'verify' }
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, lib },
  })
  const [
    {
      output: [chunk],
    } = { output: [] },
  ] = [built].flat().filter(one => 'output' in one)
  const code = chunk?.type === 'chunk' ? chunk.code : ''
  expect(code).toContain('DecisionVerificationError')
  expect(code).not.toMatch(/\bfrom\s*["']|\bimport\s*\(|node:|\brequire\(/)
  expect(gzipSync(code).length).toBeLessThan(20_000)
})
