// A service that stops settles its mutations and closes its viewers.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createTestChannel, startTestService } from '../support/service.ts'
import { until, watch } from '../support/viewer.ts'

test('stop closes viewers with 1001 and does not wait for them', async () => {
  const service = await startTestService()
  const owner = await service.createOwner()
  const channel_id = await createTestChannel(owner)
  const viewers = [1, 2, 3].map(() => watch(service.url, channel_id, { token: owner.api_key }))
  await until(() => viewers.every(({ provider }) => provider.synced), 'all are synced')
  const began = performance.now()
  await service.stop()
  expect(performance.now() - began).toBeLessThan(5_000)
  for (const viewer of viewers) {
    await until(() => viewer.closes.length > 0, 'the socket is closed')
    expect(viewer.closes[0]).toBe(1001)
    viewer.leave()
  }
})

test('settle waits for all queued mutations', async () => {
  const service = await startTestService()
  const owner = await service.createOwner()
  const channel_id = await createTestChannel(owner)
  const write = () =>
    service.feeds.write(channel_id, {
      mutation: {
        kind: 'insert',
        id: randomUUID(),
        blocks: [{ type: 'divider', id: 'd' }],
        status: 'default',
      },
      owner_id: owner.user_id,
    })
  let settled = 0
  const writes = Array.from({ length: 600 }, () => write().then(() => settled++))
  await service.feeds.settle()
  expect(settled).toBe(600)
  await Promise.all(writes)
  await service.stop()
})

test('a client that leaves its half of a refused connection open does not delay stop', async () => {
  const service = await startTestService()
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(
    'GET /sync/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  socket.resume()
  await once(socket, 'end')
  const began = performance.now()
  await service.stop()
  expect(performance.now() - began).toBeLessThan(5_000)
  socket.destroy()
})
