// One delivery: everything a receiver can do, and what the log keeps of it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryResult } from '../../server/model/delivery-queue.ts'
import { type DeliverOptions, deliver } from '../../server/webhooks/deliver.ts'
import { type Behaviour, type Receiver, startReceiver } from '../support/receiver.ts'

const HEAD_TIMEOUT_MS = 150

let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.letGo())
afterAll(() => receiver.stop())

const deliverTo = (url: string, options: Partial<DeliverOptions> = {}) =>
  deliver(
    { url, body: '{"text":"ü"}', interaction_id: 'id', secrets: ['whsec_c2VjcmV0'] },
    { private_networks: 'allow', head_timeout_ms: HEAD_TIMEOUT_MS, body_timeout_ms: 50, ...options },
  )

async function send(url: string, options?: Partial<DeliverOptions>): Promise<DeliveryResult> {
  const result = await deliverTo(url, options)
  if (!result) throw new Error('nothing was sent')
  return result
}

function sendTo(behaviour: Behaviour, options?: Partial<DeliverOptions>) {
  receiver.behave(() => behaviour)
  return send(receiver.url, options)
}

describe('a receiver that', () => {
  test.each([200, 201, 202, 204, 299])('responds with %i has received the delivery', async status => {
    expect(await sendTo({ kind: 'answer', status })).toMatchObject({
      status: 'success',
      response_code: status,
      error: null,
    })
  })

  test.each([300, 304, 400, 401, 404, 410, 429, 500, 503])('responds with %i has failed', async status => {
    expect(await sendTo({ kind: 'answer', status })).toMatchObject({
      status: 'failed',
      response_code: status,
      error: status < 400 ? 'redirect not followed' : `status ${status}`,
    })
  })

  test('redirects has failed: redirects aren’t followed', async () => {
    const before = receiver.received.length
    const result = await sendTo({ kind: 'redirect', to: `${receiver.url}/elsewhere` })
    expect(result).toMatchObject({ status: 'failed', response_code: 307, error: 'redirect not followed' })
    expect(result.response_headers?.location).toBe(`${receiver.url}/elsewhere`)
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('stalls times out', async () => {
    const result = await sendTo({ kind: 'stall' })
    expect(result).toMatchObject({ status: 'failed', response_code: null, error: 'timeout' })
    expect(result.duration_ms).toBeGreaterThanOrEqual(HEAD_TIMEOUT_MS - 5)
  })

  test('accepts the connection and stays silent times out', async () => {
    const mute = createServer(() => {})
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    const address = mute.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'timeout' })
    expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ error: 'timeout' })
    mute.close()
  })

  test('drips its head times out: the limit is for the whole head', async () => {
    const slow = createServer(socket => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('X-More: 1\r\n'), 20)
      socket.once('close', () => clearInterval(drip))
    })
    await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve))
    const address = slow.address()
    const result = await send(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
    expect(result).toMatchObject({ status: 'failed', response_code: null, error: 'timeout' })
    slow.close()
  })

  test('sends endless interim responses has failed, long before the timeout', async () => {
    const endless = createServer(socket => {
      socket.on('error', () => {})
      const write = () => {
        while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
      }
      socket.on('drain', write)
      socket.once('data', write)
    })
    await new Promise<void>(resolve => endless.listen(0, '127.0.0.1', resolve))
    const address = endless.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    const result = await send(url, { head_timeout_ms: 10_000 })
    expect(result).toMatchObject({
      status: 'failed',
      response_code: null,
      error: 'too many interim responses',
    })
    endless.close()
  })

  test('sends an interim response first has received the delivery', async () => {
    const after = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const result = await sendTo({ kind: 'close', after })
    expect(result).toMatchObject({ status: 'success', response_code: 200, response_body: 'ok' })
  })

  test('isn’t running has refused', async () => {
    const gone = await startReceiver()
    await gone.stop()
    expect(await send(gone.url)).toMatchObject({ status: 'failed', response_code: null, error: 'refused' })
  })

  test('closes the connection without a response has failed', async () => {
    expect(await sendTo({ kind: 'close' })).toMatchObject({
      status: 'failed',
      response_code: null,
      error: 'connection closed early',
    })
  })

  test('responds with something other than HTTP has failed', async () => {
    const result = await sendTo({ kind: 'close', after: 'SSH-2.0-OpenSSH_9.6\r\n' })
    expect(result).toMatchObject({ status: 'failed', response_code: null })
    expect(result.error).toMatch(/^not an HTTP response/)
  })

  test('switches protocols has failed', async () => {
    const after = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'
    expect(await sendTo({ kind: 'close', after })).toMatchObject({ status: 'failed' })
  })

  test('sends a head of a megabyte has failed', async () => {
    const after = `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}\r\n\r\n`
    const result = await sendTo({ kind: 'close', after })
    expect(result.status).toBe('failed')
  })

  test('sends an endless body has received the delivery, and 64 KiB are kept', async () => {
    const result = await sendTo({ kind: 'flood' }, { body_timeout_ms: 5_000 })
    expect(result).toMatchObject({ status: 'success', response_code: 200, error: null })
    expect(result.response_body).toHaveLength(65_536)
  })

  test('stops in the middle of its body has received the delivery, and the rest is kept', async () => {
    expect(await sendTo({ kind: 'hang', body: 'half' })).toMatchObject({
      status: 'success',
      response_code: 200,
      response_body: 'half',
    })
  })

  test('closes in the middle of its body has received the delivery, and the rest is kept', async () => {
    const after = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'
    expect(await sendTo({ kind: 'close', after })).toMatchObject({ status: 'success', response_body: 'half' })
  })

  test('responds with bytes that aren’t text has them replaced', async () => {
    const result = await sendTo({ kind: 'answer', status: 500, headers: { 'X-Why': 'a' }, body: 'a\0b' })
    expect(result.response_body).toBe('a\ufffdb')
    expect(result.response_headers).toMatchObject({ 'x-why': 'a' })
  })
})

test('the result has the request headers as they were sent', async () => {
  const result = await sendTo({ kind: 'answer' })
  const sent = receiver.received.at(-1)
  expect(sent).toMatchObject({ method: 'POST', body: '{"text":"ü"}' })
  expect(sent?.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': '13',
    'user-agent': 'Channel-Feed/1',
  })
  for (const [name, value] of Object.entries(result.request_headers))
    expect(sent?.headers[name.toLowerCase()]).toBe(value)
})

test('a user and password in the URL are sent, and not logged', async () => {
  receiver.behave(() => ({ kind: 'answer' }))
  const result = await send(receiver.url.replace('//', '//ann:secret@'))
  expect(receiver.received.at(-1)?.headers.authorization).toBe(`Basic ${btoa('ann:secret')}`)
  expect(JSON.stringify(result)).not.toContain(btoa('ann:secret'))
})

test('an unresolvable host has failed', async () => {
  expect(await send('http://nowhere.invalid/', { head_timeout_ms: 10_000 })).toMatchObject({
    status: 'failed',
    error: 'unknown host',
  })
})

test('https to a plain HTTP receiver has failed', async () => {
  receiver.behave(() => ({ kind: 'answer' }))
  expect(await send(receiver.url.replace('http:', 'https:'))).toMatchObject({
    status: 'failed',
    response_code: null,
  })
})

// Skipped without openssl, which makes the certificate.
if (spawnSync('openssl', ['version']).status === 0) {
  test('https with a self-signed certificate has failed before anything is sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'webhooks-https-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${cert}`
    execFileSync('openssl', made.split(' '), { stdio: 'ignore' })
    let requests = 0
    const server = createHttpsServer({ key: await readFile(key), cert: await readFile(cert) }, () => {
      requests += 1
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const result = await send(`https://localhost:${port}/`, { head_timeout_ms: 5_000 })
    expect(result).toMatchObject({ status: 'failed', response_code: null })
    expect(result.error).toBe('bad certificate (DEPTH_ZERO_SELF_SIGNED_CERT)')
    expect(requests).toBe(0)
    server.close()
    await rm(folder, { recursive: true })
  })
}

test('an interrupted delivery has failed as interrupted', async () => {
  receiver.behave(() => ({ kind: 'stall' }))
  const ending = new AbortController()
  const before = receiver.received.length
  const result = send(receiver.url, { signal: ending.signal, head_timeout_ms: 10_000 })
  await receiver.count(before + 1)
  ending.abort()
  expect(await result).toMatchObject({
    status: 'failed',
    error: 'interrupted: the service stopped while it was sent',
  })
})

describe('the mark before the first byte', () => {
  test('is set once the connection is open, and only then something is sent', async () => {
    receiver.behave(() => ({ kind: 'answer' }))
    const before = receiver.received.length
    const seen: number[] = []
    const markSent = async () => {
      seen.push(receiver.received.length - before)
      return true
    }
    expect(await send(receiver.url, { markSent })).toMatchObject({ status: 'success' })
    expect(seen).toEqual([0])
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('isn’t set if the connection fails', async () => {
    const gone = await startReceiver()
    await gone.stop()
    const markSent = () => Promise.reject(new Error('asked'))
    expect(await send(gone.url, { markSent })).toMatchObject({ status: 'failed', error: 'refused' })
  })

  test.each([
    ['that returns false', () => Promise.resolve(false)],
    ['that fails', () => Promise.reject(new Error('no database'))],
  ])('%s prevents sending, and there is no result', async (_, markSent) => {
    const before = receiver.received.length
    expect(await deliverTo(receiver.url, { markSent })).toBeNull()
    receiver.behave(() => ({ kind: 'answer' }))
    await send(receiver.url)
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('that comes too late prevents sending', async () => {
    const before = receiver.received.length
    let resolveMark = (_: boolean) => {}
    const markSent = () =>
      new Promise<boolean>(resolve => {
        resolveMark = resolve
      })
    const result = await send(receiver.url, { markSent })
    resolveMark(true)
    expect(result).toMatchObject({ status: 'failed', error: 'timeout' })
    await send(receiver.url)
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('that an interruption precedes leaves no result', async () => {
    const ending = new AbortController()
    ending.abort()
    const markSent = () => Promise.resolve(true)
    expect(await deliverTo(receiver.url, { markSent, signal: ending.signal })).toBeNull()
  })
})
