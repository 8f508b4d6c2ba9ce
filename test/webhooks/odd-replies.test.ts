// A receiver that says 2xx has done its part, however odd its reply is: a second delivery would do it again.
import { createServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { deliver } from '../../server/webhooks/deliver.ts'
import { listenOn } from '../support/ports.ts'
import { runReceiver } from '../support/running.ts'

const options = { private_networks: 'allow' as const, head_timeout_ms: 5_000, body_timeout_ms: 500 }

/** Replies with these bytes, and closes unless `open`. */
async function sendTo(reply: string | Buffer, open = false) {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => (open ? socket.write(reply) : socket.end(reply)))
  })
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${await listenOn(server)}/`
  return deliver({ url, body: '{}', interaction_id: 'id', secrets: [] }, options)
}

const ok = (fields: string, body = 'ok') => `HTTP/1.1 200 OK\r\n${fields}\r\n\r\n${body}`
const LENGTH = 'Content-Length: 2'
const CHUNKED = 'Transfer-Encoding: chunked'
const CHUNKS = '2\r\nok\r\n0\r\n\r\n'

describe('a reply with the status 200', () => {
  test.each([
    ['with both a length and chunks', ok(`${LENGTH}\r\n${CHUNKED}`, CHUNKS)],
    ['with chunks and then a length', ok(`${CHUNKED}\r\n${LENGTH}`, CHUNKS)],
    ['with the same length twice', ok(`${LENGTH}\r\n${LENGTH}`)],
    ['with 60,000 bytes of headers', ok(`X-Long: ${'x'.repeat(60_000)}\r\n${LENGTH}`)],
    ['with 3,000 headers', ok(`${'A: b\r\n'.repeat(3_000)}${LENGTH}`)],
    ['with line feeds alone', ok(LENGTH).replaceAll('\r\n', '\n')],
    ['with a blank before a colon', ok(`X-A : b\r\n${LENGTH}`)],
    ['with a blank in a name', ok(`X A: b\r\n${LENGTH}`)],
    ['with a line that is no header', ok(`nonsense\r\n${LENGTH}`)],
    ['with a header without a name', ok(`: b\r\n${LENGTH}`)],
    ['with a folded header', ok(`X-A: a\r\n b\r\n${LENGTH}`)],
    ['with control characters', ok(`X-A: a\x01b\x00c\r\n${LENGTH}`)],
    ['with a broken chunk', ok(CHUNKED, 'zz\r\nok\r\n')],
    ['with more than it announced', ok(`Connection: close\r\n${LENGTH}`, 'ok and more')],
    ['with another version', ok(LENGTH).replace('1.1', '1.2')],
    ['with the version 2', ok(LENGTH).replace('1.1', '2')],
    ['with two blanks before the status', ok(LENGTH).replace(' 200', '  200')],
    ['without a reason', ok(LENGTH).replace(' OK', '')],
    ['after an interim response, with a blank in a name', `HTTP/1.1 103 Early\r\n\r\n${ok('X A: b')}`],
  ])('a reply %s and the status 200 is a success', async (_, reply) => {
    expect(await sendTo(reply)).toMatchObject({ status: 'success', response_code: 200, error: null })
  })
})

describe('an unreadable head', () => {
  test.each([
    ['with a length that is no number', ok('Content-Length: two')],
    ['with two lengths', ok(`${LENGTH}\r\nContent-Length: 3`)],
    ['with 70,000 bytes of headers', ok(`X-Long: ${'x'.repeat(70_000)}\r\n${LENGTH}`)],
    ['of another protocol', 'ICY 200 OK\r\n\r\n'],
    ['without a status', 'HTTP/1.1 OK\r\n\r\n'],
  ])('a reply %s is a failure, because its head can’t be read', async (_, reply) => {
    const error = expect.stringMatching(/^not an HTTP response/)
    expect(await sendTo(reply)).toMatchObject({ status: 'failed', response_code: null, error })
  })
})

test('an odd head with another status is a failure with that status', async () => {
  const reply = await sendTo(ok('X A: b\r\nX-Why: full').replace('200 OK', '503 Busy'))
  expect(reply).toMatchObject({ status: 'failed', response_code: 503, error: 'status 503' })
  expect(reply?.response_headers).toMatchObject({ 'x-why': 'full' })
})

test.each(['Upgrade: x\r\nConnection: Upgrade\r\n', ''])(
  'a 101 reply with %j is logged as what it is',
  async fields => {
    const reply = await sendTo(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n`, true)
    expect(reply).toMatchObject({ status: 'failed', response_code: 101, error: 'status 101' })
  },
)

describe('a compressed reply', () => {
  const text = `${'naïve '.repeat(100)}end`
  const compressed = (encoding: string, body: Buffer) =>
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`,
      ),
      body,
    ])

  test.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
  ])('a compressed reply with %s is logged decoded', async (encoding, body) => {
    expect(await sendTo(compressed(encoding, body))).toMatchObject({ status: 'success', response_body: text })
  })

  test('a compressed reply that was cut off is decoded as far as it goes', async () => {
    const body = gzipSync(Array.from({ length: 2_000 }, (_, i) => i).join(' '))
    const reply = await sendTo(compressed('gzip', body).subarray(0, -1_000))
    expect(reply?.response_body).toMatch(/^0 1 2 3 /)
  })

  test('a compressed reply that is huge when decoded is cut off at 64 KiB', async () => {
    const reply = await sendTo(compressed('gzip', gzipSync(Buffer.alloc(40_000_000, 'x'))))
    expect(reply?.response_body).toBe('x'.repeat(65_536))
  })

  test('a compressed reply that isn’t compressed after all is logged as it is', async () => {
    expect((await sendTo(compressed('gzip', Buffer.from('plain'))))?.response_body).toBe('plain')
  })
})

test('a percent sign in a URL’s user info that encodes nothing means itself', async () => {
  const receiver = await runReceiver()
  for (const [given, sent] of [
    ['us%er:50%', 'us%er:50%'],
    ['a%40b:%zz%c3%bc', 'a@b:%zzü'],
  ] as const) {
    const url = receiver.url.replace('//', `//${given}@`)
    expect(await deliver({ url, body: '{}', interaction_id: 'id', secrets: [] }, options)).toMatchObject({
      status: 'success',
    })
    expect(receiver.received.at(-1)?.headers.authorization).toBe(
      `Basic ${Buffer.from(sent).toString('base64')}`,
    )
  }
})
