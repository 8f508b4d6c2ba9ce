// A fault kills the instance that sends a webhook, so it must know whose connection it sees.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { afterTest } from '../../support/after-test.ts'
import { listenOn } from '../../support/ports.ts'
import { hasConnection } from './sockets.ts'

test('a connection belongs to the process that opened it, until that ends', async () => {
  const server = createServer()
  const to = await listenOn(server)
  afterTest(() => server.close())
  const client = spawn(process.execPath, ['-e', `require('net').connect(${to}, '127.0.0.1')`])
  afterTest(() => client.kill('SIGKILL'))
  const [socket] = await once(server, 'connection')
  socket.on('error', () => {})
  const from = socket.remotePort
  const pid = client.pid ?? 0
  expect(hasConnection(pid, { from, to })).toBe(true)
  expect(hasConnection(pid, { from: to, to: from })).toBe(false)
  expect(hasConnection(process.pid, { from, to })).toBe(false)
  client.kill('SIGKILL')
  await once(client, 'exit')
  expect(hasConnection(pid, { from, to })).toBe(false)
})
