// Clients that offer HTTP/2, or send no Host.
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createTestChannel, textCard } from '../support/cards.ts'
import { type RawAnswer, requestHead, sendRaw } from '../support/raw.ts'
import { runWithOwner } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const { service, ann } = await runWithOwner()
const cards = await createTestChannel(ann)

/** As curl --http2 and Java's HttpClient send it without TLS. */
const offer = {
  Connection: 'close, Upgrade, HTTP2-Settings',
  Upgrade: 'h2c',
  'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
}

function push(body: string, headers: Record<string, string>, ...parts: string[]): Promise<RawAnswer> {
  const head = requestHead('POST', `/api/v1${cards}`, {
    Authorization: `Bearer ${ann.api_key}`,
    'Content-Type': 'application/json',
    ...headers,
  })
  return sendRaw(service.url, head.replace('Connection: close\r\n', ''), body, ...parts)
}

describe('HTTP/2', () => {
  test('a read that offers HTTP/2 gets its response in HTTP/1.1', async () => {
    const head = requestHead('GET', '/healthz', offer)
    expect(await sendRaw(service.url, head)).toMatchObject({ status: 200, body: '{"status":"ok"}' })
  })

  test('a write that offers HTTP/2 gets its response in HTTP/1.1, with its body whole, in parts, or in chunks', async () => {
    const body = JSON.stringify(textCard('x'.repeat(10_000)))
    const half = body.length / 2
    const length = { 'Content-Length': String(body.length) }
    expect(await push(body, { ...offer, ...length })).toMatchObject({ status: 201 })
    expect(await push(body.slice(0, half), { ...offer, ...length }, body.slice(half))).toMatchObject({
      status: 201,
    })
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    expect(await push(chunk, { ...offer, 'Transfer-Encoding': 'chunked' })).toMatchObject({ status: 201 })
  })

  test('a request that fails and offers HTTP/2 gets its error in HTTP/1.1', async () => {
    const body = JSON.stringify({ blocks: [] })
    expect(await push(body, { ...offer, 'Content-Length': String(body.length) })).toMatchObject({
      status: 400,
      body: '{"error":"blocks must have 1 to 100 items"}',
    })
  })

  test('many requests that offer HTTP/2 share one connection, which stays open', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    await once(socket, 'connect')
    const head = requestHead('GET', '/healthz', { ...offer, Connection: 'Upgrade, HTTP2-Settings' })
    for (let i = 1; i <= 20; i++) {
      socket.write(head.replace('Connection: close\r\n', ''))
      await until(() => text.split('{"status":"ok"}').length === i + 1, `answer ${i}`)
    }
    socket.destroy()
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })
})

test('HTTP/1.0 without Host works: load balancers check /healthz with it', async () => {
  const response = await sendRaw(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')
  expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' })
})

test('HTTP/1.1 without Host returns 400', async () => {
  const response = await sendRaw(service.url, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(response.status).toBe(400)
})
