// The links of the proof do what the nemesis asks them for.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { afterTest } from '../../support/after-test.ts'
import { listenOn } from '../../support/ports.ts'
import { until } from '../../support/viewer.ts'
import { startLink } from './link.ts'

/** A server that answers each message with the same bytes, behind a link. */
async function startEcho() {
  const served: Socket[] = []
  const server = createServer(socket => {
    served.push(socket)
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  const link = await startLink({ port: await listenOn(server) })
  afterTest(async () => {
    await link.end()
    for (const socket of served) socket.destroy()
    server.close()
  })
  return { link, served }
}

async function connectTo(port: number) {
  const socket = connect(port, '127.0.0.1')
  afterTest(() => socket.destroy())
  let text = ''
  let closed = false
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.once('close', () => {
    closed = true
  })
  // Refused before the connection is known to be open.
  await once(socket, 'connect').catch(() => {})
  return { socket, text: () => text, closed: () => closed }
}

test('a stalled link keeps the connection and passes everything after the heal', async () => {
  const { link } = await startEcho()
  const client = await connectTo(link.port)
  client.socket.write('a')
  await until(() => client.text() === 'a', 'the link passes')
  link.set({ kind: 'stall' }, 'up')
  client.socket.write('b')
  link.heal()
  await until(() => client.text() === 'ab', 'the stalled byte arrives')
  expect(client.closed()).toBe(false)
})

test('a link that dropped bytes resets the connection at the heal, and not before', async () => {
  const { link } = await startEcho()
  const client = await connectTo(link.port)
  const other = await connectTo(link.port)
  link.set({ kind: 'drop' }, 'down')
  client.socket.write('a')
  await until(() => link.counts.dropped_bytes === 1, 'the byte is dropped')
  expect(client.closed()).toBe(false)
  link.heal()
  await until(client.closed, 'the connection is reset')
  other.socket.write('b')
  await until(() => other.text() === 'b', 'a connection that lost nothing continues')
})

test('a link refuses, and sends new connections elsewhere', async () => {
  const { link } = await startEcho()
  const { link: second, served } = await startEcho()
  const client = await connectTo(link.port)
  link.cut()
  await until(client.closed, 'the open connection is reset')
  const late = await connectTo(link.port)
  await until(late.closed, 'a new connection is reset')
  link.repoint({ port: second.port })
  const moved = await connectTo(link.port)
  moved.socket.write('a')
  await until(() => moved.text() === 'a', 'the other server answers')
  expect(served).toHaveLength(1)
})

test('a late link keeps the order of the bytes', async () => {
  const { link } = await startEcho()
  const client = await connectTo(link.port)
  link.set({ kind: 'latency', ms: 5, jitter_ms: 20 })
  for (const letter of 'abcdefgh') client.socket.write(letter)
  client.socket.end()
  await until(client.closed, 'the connection ends')
  expect(client.text()).toBe('abcdefgh')
})

test('a part of a request may be the last that passes on its connection', async () => {
  const { link } = await startEcho()
  link.onRequest = chunk => chunk.subarray(0, 1)
  const client = await connectTo(link.port)
  client.socket.write('abc')
  await until(() => client.text() === 'a', 'the first byte passes')
  link.onRequest = chunk => chunk
  client.socket.end('d')
  await until(client.closed, 'the connection ends')
  expect(client.text()).toBe('a')
})
