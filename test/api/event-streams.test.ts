// Event streams: access, ends, limits and comments. access-ends.test.ts checks that they end with their access.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { describe, expect, test } from 'vitest'
import { EventStream } from '../../server/routes/event-streams.ts'
import { createAccount, createTestKey, createTestWorkspace } from '../support/account.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { cutNotices } from '../support/database.ts'
import { notFound } from '../support/errors.ts'
import { eventRoutesOf } from '../support/event-routes.ts'
import { runEventScene } from '../support/event-scene.ts'
import { listen, listenTo } from '../support/event-stream.ts'
import { refusedConnections } from '../support/metrics.ts'
import { listenOn } from '../support/ports.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const scene = await runEventScene()
const { service, ann, follow } = scene

test('streams end after missed notices, once the bus is connected again', async () => {
  const { id, key } = await createTestKey(ann.session)
  const byKey = await listenTo(service.url, key, scene.channel_id)
  const byChannel = await follow()
  const kept = await listenTo(service.url, ann.api_key, await createChannel(ann))
  await service.sql`delete from api_keys where id = ${id}`
  await service.sql`delete from channels where id = ${scene.channel_id}`
  await cutNotices(service.sql)
  await Promise.all([byKey.ended, byChannel.ended])
  expect(kept.comments).toHaveLength(1)
})

test('a stream gets regular comments, even during changes that send no events', async () => {
  const server = createServer(getRequestListener(eventRoutesOf(service, ann, 300).fetch))
  const port = await listenOn(server)
  const stream = await listen(init =>
    fetch(`http://127.0.0.1:${port}/channels/${scene.channel_id}/events`, init),
  )
  expect(await stream.comment()).toBe('keep-alive')
  await pushCard(ann.key, scene.cards)
  expect(await stream.next()).toMatchObject({ event: 'card.inserted' })
  expect(await stream.comment()).toBe('keep-alive')
  // These changes grow the log, but send no events.
  const seen = stream.comments.length
  const rename = () => ann.key('PATCH', `/channels/${scene.channel_id}`, { description: crypto.randomUUID() })
  await until(async () => {
    await Promise.all([rename(), rename(), rename()])
    return stream.comments.length > seen
  }, 'a comment without events')
  server.close()
})

describe('a key', () => {
  /** Requests a stream without waiting for its first comment. */
  function request(api_key: string) {
    const controller = new AbortController()
    const response = fetch(`${service.url}/api/v1/channels/${scene.channel_id}/events`, {
      headers: { Authorization: `Bearer ${api_key}` },
      signal: controller.signal,
    })
    return { response, leave: () => controller.abort() }
  }
  async function open(api_key: string): Promise<{ response: Response; leave: () => void }> {
    const { response, leave } = request(api_key)
    return { response: await response, leave }
  }

  test('a key may have 20 open streams; one more gets 429 and is counted in the metrics', async () => {
    const { key } = await createTestKey(ann.session)
    const opened = await times(30, () => open(key))
    const limited = opened.filter(({ response }) => response.status !== 200)
    expect(limited.map(({ response }) => response.status)).toEqual(Array(10).fill(429))
    for (const { response } of limited) {
      expect(response.headers.get('Retry-After')).toBe('10')
      expect(await response.json()).toEqual({ error: 'Too many event streams' })
    }
    expect(await refusedConnections(service.url, 'event_stream')).toBe(10)
    // Another key has its own limit.
    const other = await open(ann.api_key)
    expect(other.response.status).toBe(200)
    for (const { leave } of [...opened, other]) leave()
  })

  test('a key may open another stream when one ends, however early its client leaves', async () => {
    const { key } = await createTestKey(ann.session)
    for (let round = 0; round < 5; round++) {
      const requests = Array.from({ length: 20 }, () => request(key))
      await Promise.race(requests.map(({ response }) => response))
      for (const { leave } of requests) leave()
      await Promise.allSettled(requests.map(({ response }) => response))
    }
    const held: (() => void)[] = []
    await until(async () => {
      const { response, leave } = await open(key)
      if (response.status === 200) held.push(leave)
      else await response.body?.cancel()
      return held.length === 20
    }, 'all places are free again')
    for (const leave of held) leave()
  })
})

test("a client that doesn't read the last events is disconnected", async () => {
  const server = createServer((_, response) => {
    response.write(Buffer.alloc(64 * 1024 * 1024))
    new EventStream(scene.channel_id, '', undefined, response).end()
    response.end()
    response.once('close', () => server.close())
  })
  const socket = connect(await listenOn(server), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(server, 'close')
})

test('HEAD opens no stream', async () => {
  const response = await fetch(`${service.url}/api/v1/channels/${scene.channel_id}/events`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${ann.api_key}` },
  })
  expect(response.status).toBe(200)
  const [row] = await service.sql`select events_until from documents where channel_id = ${scene.channel_id}`
  expect(row?.events_until).toBeNull()
})

test('events need a key that may read the channel', async () => {
  const status = async (api_key: string, id = scene.channel_id) =>
    (await listenTo(service.url, api_key, id)).status
  expect(await status('none')).toBe(401)
  expect(await status(ann.api_key, 'x')).toBe(404)
  expect(await status(ann.api_key, crypto.randomUUID())).toBe(404)
  expect(await status((await createAccount(service)).api_key)).toBe(403)
  const workspace_id = await createTestWorkspace(ann.session)
  expect(await status((await createTestKey(ann.session, { workspace_id })).key)).toBe(403)
  expect(await ann.session('GET', `/channels/${scene.channel_id}/events`)).toMatchObject(notFound())
})
