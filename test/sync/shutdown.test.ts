// A service that stops settles its mutations, and waits for nobody. test/faults/stop.test.ts has its viewers.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { readStoredDocument } from '../../server/feed/log/log.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { createAccount } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { createTestDatabase } from '../support/database.ts'
import { requestHead, upgradeHead } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'

async function start() {
  const service = await startTestService()
  const ann = await createAccount(service)
  return { service, ann, channel_id: await createChannel(ann) }
}

test('settle waits for all queued mutations', async () => {
  const { service, ann, channel_id } = await start()
  const blocks = [{ type: 'divider' as const, id: 'd' }]
  let settled = 0
  const writes = times(600, async () => {
    const mutation = { kind: 'insert', id: randomUUID(), blocks, status: 'default' } as const
    await service.feeds.get(channel_id).writer.write({ mutation, owner_id: ann.user_id })
    settled++
  })
  await service.feeds.settle()
  expect(settled).toBe(600)
  await writes
  await service.stop()
})

test('stop leaves a snapshot instead of a long log, so that the next start is quick', async () => {
  const database = await createTestDatabase()
  const service = await startTestService({}, { database })
  const ann = await createAccount(service)
  const channel_id = await createChannel(ann)
  const blocks = [{ type: 'divider' as const, id: 'd' }]
  for (let turn = 0; turn < 40; turn++) {
    const mutation = { kind: 'insert', id: randomUUID(), blocks, status: 'default' } as const
    await service.feeds.get(channel_id).writer.write({ mutation, owner_id: ann.user_id })
  }
  await service.stop()
  const stored = await readStoredDocument(database.sql, channel_id)
  expect(stored?.snapshot_seq).toBe(stored?.seq)
  await expectRowsMatchDocument(database.sql, channel_id)
  await database.drop()
})

test('a client that connects and sends nothing does not delay stop', async () => {
  const service = await startTestService()
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' })
  await once(socket, 'connect')
  const closed = once(socket.resume(), 'close')
  const began = performance.now()
  await service.stop()
  expect(performance.now() - began).toBeLessThan(5_000)
  await closed
})

test('an event stream requested while the service stops does not delay stop', async () => {
  const { service, ann, channel_id } = await start()
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' })
  const authorization = { Authorization: `Bearer ${ann.api_key}` }
  const head = requestHead('GET', `/api/v1/channels/${channel_id}/events`, authorization)
  // The second request has begun when the first is answered.
  const first = requestHead('GET', '/healthz', {}).replace('Connection: close\r\n', '')
  socket.write(first + head.slice(0, 20))
  await once(socket, 'data')
  const closed = once(socket.resume(), 'close')
  const began = performance.now()
  const stopped = service.stop()
  socket.write(head.slice(20))
  await stopped
  expect(performance.now() - began).toBeLessThan(5_000)
  await closed
})

test('a client that leaves its half of a rejected connection open does not delay stop', async () => {
  const service = await startTestService()
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(upgradeHead('/sync/nowhere'))
  socket.resume()
  await once(socket, 'end')
  const began = performance.now()
  await service.stop()
  expect(performance.now() - began).toBeLessThan(5_000)
  socket.destroy()
})
