import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { expect, test } from 'vitest'
import { staticResponse } from '../../server/routes/static-response.ts'

const text = 'The same as before. '.repeat(100)

/** `failures`: how many readings fail first. */
function serve({ failures = 0 } = {}) {
  let readings = 0
  const read = async () => {
    readings++
    if (readings <= failures) throw new Error('no file')
    return Buffer.from(text)
  }
  const app = new Hono().get('/file', etag(), staticResponse(read, { 'Content-Type': 'text/plain' }))
  app.onError((_, c) => c.text('failed', 500))
  return {
    ask: (headers: Record<string, string> = {}) => app.request('/file', { headers }),
    readings: () => readings,
  }
}

test('parallel requests read the content once', async () => {
  const { ask, readings } = serve()
  const responses = await Promise.all([ask(), ask(), ask({ 'Accept-Encoding': 'gzip, br' })])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(readings()).toBe(1)
})

test('only clients that accept gzip get it, with its own ETag', async () => {
  const { ask } = serve()
  const [plain, gzipped] = [await ask(), await ask({ 'Accept-Encoding': 'gzip' })]
  expect(plain.headers.get('Content-Encoding')).toBeNull()
  expect(await plain.text()).toBe(text)
  expect(gzipped.headers.get('Content-Encoding')).toBe('gzip')
  expect(gunzipSync(await gzipped.arrayBuffer()).toString()).toBe(text)
  expect(gzipped.headers.get('ETag')).not.toBe(plain.headers.get('ETag'))
  for (const { headers } of [plain, gzipped]) expect(headers.get('Vary')).toBe('Accept-Encoding')
})

test('a client with the current ETag gets 304', async () => {
  const { ask } = serve()
  for (const encoding of ['identity', 'gzip']) {
    const tag = (await ask({ 'Accept-Encoding': encoding })).headers.get('ETag') ?? ''
    const again = await ask({ 'Accept-Encoding': encoding, 'If-None-Match': tag })
    expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, tag, ''])
  }
})

test('a failed read is tried again', async () => {
  const { ask } = serve({ failures: 1 })
  expect((await ask()).status).toBe(500)
  expect((await ask()).status).toBe(200)
})
