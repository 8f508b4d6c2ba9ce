// One delivery: what receivers may do, and what is logged of it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { DeliveryResult } from '../../server/model/delivery-queue.ts'
import { type DeliverOptions, deliver } from '../../server/webhooks/deliver.ts'
import { INTERRUPTED } from '../support/deliveries.ts'
import { listenOn } from '../support/ports.ts'
import { type Behaviour, startReceiver } from '../support/receiver.ts'
import { runReceiver } from '../support/running.ts'

const HEAD_TIMEOUT_MS = 150

const receiver = await runReceiver()
afterEach(() => receiver.recover())

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
  receiver.behave(behaviour)
  return send(receiver.url, options)
}

const failed = (error: string) => ({ status: 'failed', response_code: null, error })

/** Starts a server that isn't an ordinary receiver. Returns its port. */
async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  return listenOn(server)
}

describe('the receiver', () => {
  test.each([200, 201, 202, 204, 299])(
    'a receiver that responds with %i has received the delivery',
    async status => {
      const success = { status: 'success', response_code: status, error: null }
      expect(await sendTo({ kind: 'answer', status })).toMatchObject(success)
    },
  )

  test.each([300, 304, 400, 401, 404, 410, 429, 500, 503])(
    'a receiver that responds with %i has failed',
    async status => {
      const error = status < 400 ? 'redirect not followed' : `status ${status}`
      expect(await sendTo({ kind: 'answer', status })).toMatchObject({
        ...failed(error),
        response_code: status,
      })
    },
  )

  test('a receiver that redirects has failed: redirects aren’t followed', async () => {
    const before = receiver.received.length
    const result = await sendTo({ kind: 'redirect', to: `${receiver.url}/elsewhere` })
    expect(result).toMatchObject({ ...failed('redirect not followed'), response_code: 307 })
    expect(result.response_headers?.location).toBe(`${receiver.url}/elsewhere`)
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('a receiver that stalls times out', async () => {
    const result = await sendTo({ kind: 'stall' })
    expect(result).toMatchObject(failed('timeout'))
    expect(result.duration_ms).toBeGreaterThanOrEqual(HEAD_TIMEOUT_MS - 5)
  })

  test('a receiver that accepts the connection and stays silent times out', async () => {
    const port = await listen(createServer(() => {}))
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'timeout' })
    expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ error: 'timeout' })
  })

  test('a receiver that drips its head times out: the limit is for the whole head', async () => {
    const slow = createServer(socket => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('X-More: 1\r\n'), 20)
      socket.once('close', () => clearInterval(drip))
    })
    expect(await send(`http://127.0.0.1:${await listen(slow)}/`)).toMatchObject(failed('timeout'))
  })

  test('a receiver that sends endless interim responses has failed, long before the timeout', async () => {
    const endless = createServer(socket => {
      socket.on('error', () => {})
      const write = () => {
        while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
      }
      socket.on('drain', write)
      socket.once('data', write)
    })
    const result = await send(`http://127.0.0.1:${await listen(endless)}/`, { head_timeout_ms: 10_000 })
    expect(result).toMatchObject(failed('too many interim responses'))
  })

  test('a receiver that isn’t running has failed', async () => {
    const gone = await startReceiver()
    await gone.stop()
    expect(await send(gone.url)).toMatchObject(failed('refused'))
  })

  const raw = (after: string): Behaviour => ({ kind: 'close', after })
  const early = raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
  const closing = raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
  const upgrade = raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  const long = raw(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}\r\n\r\n`)
  const notHttp = expect.stringMatching(/^not an HTTP response/)
  const received = { status: 'success', response_code: 200 }
  test.each<[string, Behaviour, object]>([
    ['sends an interim response first has received it', early, { ...received, response_body: 'ok' }],
    [
      'stalls halfway has received it',
      { kind: 'hang', body: 'half' },
      { ...received, response_body: 'half' },
    ],
    ['closes halfway has received it', closing, { status: 'success', response_body: 'half' }],
    ['closes without a response has failed', { kind: 'close' }, failed('connection closed early')],
    ['doesn’t speak HTTP has failed', raw('SSH-2.0-OpenSSH_9.6\r\n'), { ...failed(''), error: notHttp }],
    ['switches protocols has failed', upgrade, { status: 'failed' }],
    ['sends a head of a megabyte has failed', long, { status: 'failed' }],
  ])('a receiver that %s', async (_, behaviour, result) => {
    expect(await sendTo(behaviour)).toMatchObject(result)
  })

  test('a receiver that sends an endless body has received the delivery, and 64 KiB are logged', async () => {
    const result = await sendTo({ kind: 'flood' }, { body_timeout_ms: 5_000 })
    expect(result).toMatchObject({ status: 'success', response_code: 200, error: null })
    expect(result.response_body).toHaveLength(65_536)
  })

  test('a receiver that responds with bytes that aren’t text has them replaced', async () => {
    const result = await sendTo({ kind: 'answer', status: 500, headers: { 'X-Why': 'a' }, body: 'a\0b' })
    expect(result.response_body).toBe('a\ufffdb')
    expect(result.response_headers).toMatchObject({ 'x-why': 'a' })
  })
})

test('the result has the request headers as they were sent', async () => {
  const result = await sendTo({ kind: 'answer' })
  const sent = receiver.received.at(-1)
  const headers = {
    'content-type': 'application/json',
    'content-length': '13',
    'user-agent': 'Channel-Feed/1',
  }
  expect(sent).toMatchObject({ method: 'POST', body: '{"text":"ü"}', headers })
  for (const [name, value] of Object.entries(result.request_headers))
    expect(sent?.headers[name.toLowerCase()]).toBe(value)
})

test('a user and password in the URL are sent, and not logged', async () => {
  const result = await send(receiver.url.replace('//', '//ann:secret@'))
  expect(receiver.received.at(-1)?.headers.authorization).toBe(`Basic ${btoa('ann:secret')}`)
  expect(JSON.stringify(result)).not.toContain(btoa('ann:secret'))
})

test('an unresolvable host has failed', async () => {
  const result = await send('http://nowhere.invalid/', { head_timeout_ms: 10_000 })
  expect(result).toMatchObject(failed('unknown host'))
})

test('https to a plain HTTP receiver has failed', async () => {
  const result = await send(receiver.url.replace('http:', 'https:'))
  expect(result).toMatchObject({ status: 'failed', response_code: null })
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
    const result = await send(`https://localhost:${await listen(server)}/`, { head_timeout_ms: 5_000 })
    expect(result).toMatchObject(failed('bad certificate (DEPTH_ZERO_SELF_SIGNED_CERT)'))
    expect(requests).toBe(0)
    await rm(folder, { recursive: true })
  })
}

test('an interrupted delivery has failed as interrupted', async () => {
  receiver.behave({ kind: 'stall' })
  const ending = new AbortController()
  const before = receiver.received.length
  const result = send(receiver.url, { signal: ending.signal, head_timeout_ms: 10_000 })
  await receiver.hasReceived(before + 1)
  ending.abort()
  expect(await result).toMatchObject(failed(INTERRUPTED))
})

describe('the mark before the first byte', () => {
  test('the mark before the first byte is set once the connection is open, and only then something is sent', async () => {
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

  test('the mark before the first byte isn’t set if the connection fails', async () => {
    const gone = await startReceiver()
    await gone.stop()
    const markSent = () => Promise.reject(new Error('called'))
    expect(await send(gone.url, { markSent })).toMatchObject(failed('refused'))
  })

  test.each([
    ['that returns false', () => Promise.resolve(false)],
    ['that fails', () => Promise.reject(new Error('no database'))],
  ])('%s prevents sending, and there is no result', async (_, markSent) => {
    const before = receiver.received.length
    expect(await deliverTo(receiver.url, { markSent })).toBeNull()
    await send(receiver.url)
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('the mark before the first byte that comes too late prevents sending', async () => {
    const before = receiver.received.length
    let resolveMark = (_: boolean) => {}
    const markSent = () =>
      new Promise<boolean>(resolve => {
        resolveMark = resolve
      })
    const result = await send(receiver.url, { markSent })
    resolveMark(true)
    expect(result).toMatchObject(failed('timeout'))
    await send(receiver.url)
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('the mark before the first byte that an interruption precedes leaves no result', async () => {
    const ending = new AbortController()
    ending.abort()
    const markSent = () => Promise.resolve(true)
    expect(await deliverTo(receiver.url, { markSent, signal: ending.signal })).toBeNull()
  })
})
