// Server-sent events: which events are sent, in which order, and that a stream continues exactly after Last-Event-ID.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { serve } from '@hono/node-server'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EventStream } from '../../server/routes/event-streams.ts'
import { createAccount, createTestKey, createTestWorkspace, withKey } from '../support/account.ts'
import { pushCard, readCard, textCard } from '../support/cards.ts'
import { createChannel, refusal } from '../support/channels.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventRoutesOf } from '../support/event-routes.ts'
import { type Listener, listen, listenTo, type StreamEvent } from '../support/event-stream.ts'
import { insertInteraction } from '../support/interactions.ts'
import { refusedConnections } from '../support/refused-connections.ts'
import { runInstance, runService } from '../support/running.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/viewer.ts'

let channel_id: string
let cards: string
const open: Listener[] = []

const service = await runService({ WORKSPACE_LIMIT: '0' })
const other = await runInstance(service)
const ann = await createAccount(service)
beforeEach(async () => {
  channel_id = await createChannel(ann)
  cards = `/channels/${channel_id}/cards`
  return () => {
    for (const stream of open.splice(0)) stream.leave()
  }
})

async function follow(last_id?: string, url = service.url): Promise<Listener> {
  const stream = await listenTo(url, ann.api_key, channel_id, last_id)
  open.push(stream)
  return stream
}
const contents = (events: StreamEvent[]) => events.map(({ event, data }) => [event, data])
const idOf = (path: string) => path.split('/').at(-1)

describe('a stream', () => {
  test('sends card.inserted, updated and deleted with the JSON that GET returns', async () => {
    const stream = await follow()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('Content-Type')).toMatch(/^text\/event-stream/)
    expect(stream.headers.get('Cache-Control')).toBe('no-store')
    const path = await pushCard(ann.key, cards, {
      status: 'pending',
      blocks: [
        { type: 'text', id: 't', content: 'line\nline\r\n\u2028😀' },
        { type: 'kv', id: 'k', rows: [{ key: 'a', value: '1' }] },
      ],
    })
    const made = await readCard(ann.key, path)
    expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: made })
    await ann.key('PATCH', path, {
      blocks: [{ id: 'k', patch: { append_rows: [{ key: 'b', value: '2' }] } }],
    })
    const changed = await stream.next()
    expect(changed.event).toBe('card.updated')
    expect(changed.data).toStrictEqual(await readCard(ann.key, path))
    expect((await ann.session('DELETE', path)).status).toBe(204)
    const deleted = await stream.next()
    expect(deleted.event).toBe('card.deleted')
    expect(deleted.data).toStrictEqual({ id: made.id, channel_id })
  })

  test('sends the key of a card that has one', async () => {
    const stream = await follow()
    await ann.key('PUT', `${cards}/by-key/build-1`, textCard())
    await ann.key('PUT', `${cards}/by-key/build-1`, textCard('Again'))
    const [made, changed] = await stream.take(2)
    expect(made).toMatchObject({ event: 'card.inserted', data: { key: 'build-1' } })
    expect(changed).toMatchObject({
      event: 'card.updated',
      data: { key: 'build-1', blocks: [{ content: 'Again' }] },
    })
  })

  test('starts with what happens from then on and never repeats ids', async () => {
    await pushCard(ann.key, cards)
    const stream = await follow()
    const paths = await Promise.all(Array.from({ length: 20 }, () => pushCard(ann.key, cards)))
    const events = await stream.take(20)
    expect(events.map(({ event }) => event)).toEqual(Array(20).fill('card.inserted'))
    expect(events.map(({ data }) => Reflect.get(Object(data), 'id')).sort()).toEqual(paths.map(idOf).sort())
    expect(new Set(events.map(({ id }) => id)).size).toBe(20)
  })

  test("sends nothing for an empty PATCH and for changes of the channel's head", async () => {
    const stream = await follow()
    const path = await pushCard(ann.key, cards)
    await ann.key('PATCH', path, {})
    await ann.key('PATCH', `/channels/${channel_id}`, { name: 'Other' })
    await ann.key('POST', `/channels/${channel_id}/actions`, { label: 'Go' })
    await ann.key('DELETE', path)
    expect((await stream.take(2)).map(({ event }) => event)).toEqual(['card.inserted', 'card.deleted'])
  })

  test('sends changes in archived pages', async () => {
    const path = await pushCard(ann.key, cards)
    await Promise.all(Array.from({ length: 5 * 64 }, () => pushCard(ann.key, cards)))
    const stream = await follow()
    await ann.key('PATCH', path, { status: 'error' })
    await ann.key('DELETE', path)
    const [changed, deleted] = await stream.take(2)
    expect(changed).toMatchObject({ event: 'card.updated', data: { id: idOf(path), status: 'error' } })
    expect(deleted).toMatchObject({ event: 'card.deleted', data: { id: idOf(path) } })
  })

  test('sends events of its own channel only', async () => {
    const stream = await follow()
    const elsewhere = `/channels/${await createChannel(ann)}/cards`
    await pushCard(ann.key, elsewhere)
    const path = await pushCard(ann.key, cards)
    expect(await stream.next()).toMatchObject({ data: { id: idOf(path) } })
  })

  test('sends events from another instance', async () => {
    const [here, there] = [await follow(), await follow(undefined, other.url)]
    const made = await pushCard(withKey(other.url, ann.api_key), cards)
    await ann.key('PATCH', made, { status: 'error' })
    const events = contents(await here.take(2))
    expect(events).toMatchObject([
      ['card.inserted', { id: idOf(made) }],
      ['card.updated', { status: 'error' }],
    ])
    expect(contents(await there.take(2))).toEqual(events)
  })

  test('sends interactions with the fields of the list', async () => {
    const stream = await follow()
    const interaction = await insertInteraction(service.sql, channel_id, { type: 'reply', text: 'Hi' })
    await pushCard(ann.key, cards) // wakes the stream
    const events = await stream.take(2)
    expect(events.find(({ event }) => event === 'interaction.created')?.data).toStrictEqual(interaction)
  })

  test('sends more interactions than it reads at once', async () => {
    const first = await follow()
    await pushCard(ann.key, cards)
    const { id } = await first.next()
    await service.sql`
      insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
      select ${channel_id}, n, gen_random_uuid(), 'reply', jsonb_build_object('type', 'reply', 'text', n::text), now()
      from generate_series(1, 1201) n`
    const events = await (await follow(id)).take(1_201)
    expect(events.map(({ data }) => Reflect.get(Object(data), 'trigger').text)).toEqual(
      Array.from({ length: 1_201 }, (_, i) => `${i + 1}`),
    )
  })
})

describe('Last-Event-ID', () => {
  test('continues with exactly the missed events', async () => {
    const witness = await follow()
    const stream = await follow()
    const path = await pushCard(ann.key, cards)
    const { id } = await stream.next()
    stream.leave()
    await ann.key('PATCH', path, { status: 'error' })
    await pushCard(ann.key, cards)
    await ann.key('DELETE', path)
    const returned = await follow(id)
    expect(await returned.take(3)).toEqual((await witness.take(4)).slice(1))
    await pushCard(ann.key, cards)
    expect(await returned.next()).toEqual(await witness.next())
    expect(returned.events.map(({ event }) => event)).not.toContain('reset')
  })

  test('continues after every event, even within one turn', async () => {
    const witness = await follow()
    await Promise.all(Array.from({ length: 10 }, () => pushCard(ann.key, cards)))
    const events = await witness.take(10)
    for (const [i, { id }] of events.entries()) {
      const returned = await follow(id)
      expect(await returned.take(9 - i)).toEqual(events.slice(i + 1))
      returned.leave()
    }
  })

  test('works on another instance', async () => {
    const stream = await follow()
    await pushCard(ann.key, cards)
    const { id } = await stream.next()
    const path = await pushCard(ann.key, cards)
    expect(await (await follow(id, other.url)).next()).toMatchObject({ data: { id: idOf(path) } })
  })

  test('works after a restart of the service', async () => {
    const database = await createTestDatabase()
    const first = await startTestService({}, { database })
    const bob = await createAccount(first)
    const id = await createChannel(bob)
    const stream = await listenTo(first.url, bob.api_key, id)
    const path = await pushCard(bob.key, `/channels/${id}/cards`)
    const seen = await stream.next()
    await bob.key('PATCH', path, { status: 'error' })
    await first.stop()
    await stream.ended

    const second = await startTestService({}, { database })
    const key = withKey(second.url, bob.api_key)
    await key('DELETE', path)
    const returned = await listenTo(second.url, bob.api_key, id, seen.id)
    await pushCard(key, `/channels/${id}/cards`)
    expect((await returned.take(3)).map(({ event }) => event)).toEqual([
      'card.updated',
      'card.deleted',
      'card.inserted',
    ])
    returned.leave()
    await second.stop()
    await database.drop()
  })

  test('under load on two instances, nothing is missed or repeated', async () => {
    const witness = await follow()
    const calls = [ann.key, withKey(other.url, ann.api_key)]
    let writing = true
    const writes = Promise.all(
      Array.from({ length: 6 }, async (_, worker) => {
        for (let i = 0; i < 25; i++) {
          const call = calls[(worker + i) % 2] ?? ann.key
          const path = await pushCard(call, cards, textCard(`${worker}.${i}`))
          if (i % 5 === 0) await call('PATCH', path, { status: 'error' })
          if (i % 7 === 0) await call('DELETE', path)
        }
      }),
    ).finally(() => {
      writing = false
    })
    const got: StreamEvent[] = []
    let last: string | undefined
    let turns = 0
    while (writing) {
      // Leaves and returns again and again, on either instance.
      const stream = await follow(last, turns++ % 2 ? other.url : service.url)
      if (last === undefined) {
        await pushCard(ann.key, cards)
        got.push(await witness.next(), ...(await stream.take(1)).slice(1))
      } else got.push(...(await Promise.race([stream.take(3), writes.then(() => [])])))
      stream.leave()
      last = got.at(-1)?.id
    }
    await writes
    const end = await pushCard(ann.key, cards, textCard('the end'))
    const isEnd = ({ data }: StreamEvent) => Reflect.get(Object(data), 'id') === idOf(end)
    const stream = await follow(last)
    for (let event = await stream.next(); ; event = await stream.next()) {
      got.push(event)
      if (isEnd(event)) break
    }
    while (!witness.events.some(isEnd)) await witness.next()
    const told = witness.events
    expect(got).toEqual(told.slice(told.findIndex(({ id }) => id === got[0]?.id)))
    expect(told.map(({ event }) => event)).not.toContain('reset')
    const count = (event: string) => told.filter(told => told.event === event).length
    expect(count('card.deleted')).toBe(6 * 4)
  }, 120_000)

  test.each([
    '',
    'x',
    '7',
    '0.1',
    '0.99999.-1.0',
    '5.1.-1.0',
    '0.1.-2.0',
    '-1.0.0.0',
    `0.${'9'.repeat(15)}.-1.0`,
  ])('an unknown id (%j) gets a reset first', async id => {
    await pushCard(ann.key, cards)
    const stream = await follow(id)
    const reset = await stream.next()
    expect(reset).toMatchObject({ event: 'reset' })
    const path = await pushCard(ann.key, cards)
    expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
    const returned = await follow(reset.id)
    expect(await returned.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
  })

  test('an id older than the log gets a reset first', async () => {
    const stream = await follow()
    await pushCard(ann.key, cards)
    const { id } = await stream.next()
    await pushCard(ann.key, cards)
    await pushCard(ann.key, cards)
    const { sql } = service
    const oldest = sql`select max(seq) - 1 from document_updates where channel_id = ${channel_id}`
    await sql`delete from document_updates where channel_id = ${channel_id} and seq = (${oldest})`
    const returned = await follow(id)
    expect(await returned.next()).toMatchObject({ event: 'reset' })
    const path = await pushCard(ann.key, cards)
    expect(await returned.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
  })
})

describe('a stream ends', () => {
  const streamWith = async (fields: object, url = service.url) => {
    const { id, key } = await createTestKey(ann.session, fields)
    const stream = await listenTo(url, key, channel_id)
    return { id, stream }
  }

  test('when its key is deleted, on any instance', async () => {
    const here = await streamWith({ scope: 'read' })
    await ann.session('DELETE', `/api-keys/${here.id}`)
    await here.stream.ended
    const there = await streamWith({ scope: 'read' }, other.url)
    await ann.session('DELETE', `/api-keys/${there.id}`)
    await there.stream.ended
  })

  test('when its key expires', async () => {
    const expires = Date.now() + 2_000
    const { stream } = await streamWith({ expires_at: new Date(expires).toISOString() })
    await stream.ended
    expect(Date.now()).toBeGreaterThanOrEqual(expires)
    expect(Date.now() - expires).toBeLessThan(2_000)
  })

  test('when its channel is deleted, on any instance', async () => {
    const streams = [await follow(), await follow(undefined, other.url)]
    await ann.session('DELETE', `/channels/${channel_id}`)
    await Promise.all(streams.map(({ ended }) => ended))
  })

  test('when its workspace is deleted', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const inside = await createChannel({ key: ann.key, workspace_id })
    const { key } = await createTestKey(ann.session, { workspace_id })
    const streams = [await listenTo(service.url, key, inside), await listenTo(other.url, ann.api_key, inside)]
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
    await Promise.all(streams.map(({ ended }) => ended))
  })

  test('after missed notices, once the bus is connected again', async () => {
    const byKey = await streamWith({})
    const byChannel = await follow()
    const kept = await listenTo(service.url, ann.api_key, await createChannel(ann))
    await service.sql`delete from api_keys where id = ${byKey.id}`
    await service.sql`delete from channels where id = ${channel_id}`
    await service.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen %'`
    await Promise.all([byKey.stream.ended, byChannel.ended])
    const comments = kept.comments.length
    expect(comments).toBe(1)
    kept.leave()
  })
})

test('a stream gets regular comments, even during changes that send no events', async () => {
  const routes = eventRoutesOf(service, ann, 300)
  const server = serve({ fetch: routes.fetch, port: 0 })
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const stream = await listen(init => fetch(`http://localhost:${port}/channels/${channel_id}/events`, init))
  expect(await stream.comment()).toBe('keep-alive')
  await pushCard(ann.key, cards)
  expect(await stream.next()).toMatchObject({ event: 'card.inserted' })
  expect(await stream.comment()).toBe('keep-alive')
  // Not told, though the log grows by it.
  const seen = stream.comments.length
  const rename = () => ann.key('PATCH', `/channels/${channel_id}`, { description: randomUUID() })
  await until(async () => {
    await Promise.all([rename(), rename(), rename()])
    return stream.comments.length > seen
  }, 'a comment while nothing is told')
  stream.leave()
  server.close()
})

describe('a key', () => {
  /** Opens a stream without waiting for its first comment. */
  async function open(api_key: string): Promise<{ response: Response; leave: () => void }> {
    const controller = new AbortController()
    const response = await fetch(`${service.url}/api/v1/channels/${channel_id}/events`, {
      headers: { Authorization: `Bearer ${api_key}` },
      signal: controller.signal,
    })
    return { response, leave: () => controller.abort() }
  }

  test('may have 20 open streams; one more gets 429 and is counted in the metrics', async () => {
    const { key } = await createTestKey(ann.session)
    const opened = await Promise.all(Array.from({ length: 30 }, () => open(key)))
    const refused = opened.filter(({ response }) => response.status !== 200)
    expect(refused.map(({ response }) => response.status)).toEqual(Array(10).fill(429))
    for (const { response } of refused) {
      expect(response.headers.get('Retry-After')).toBe('10')
      expect(await response.json()).toEqual({ error: 'Too many event streams' })
    }
    expect(await refusedConnections(service.url, 'event_stream')).toBe(10)
    // HEAD opens none, and another key has places of its own.
    const head = await ann.key('HEAD', `/channels/${channel_id}/events`, undefined, {
      Authorization: `Bearer ${key}`,
    })
    expect(head.status).toBe(200)
    const other = await open(ann.api_key)
    expect(other.response.status).toBe(200)
    for (const { leave } of [...opened, other]) leave()
  })

  test('may open another stream when one ends, however early its client leaves', async () => {
    const { key } = await createTestKey(ann.session)
    for (let round = 0; round < 5; round++) {
      const given = Array.from({ length: 20 }, () => {
        const controller = new AbortController()
        const url = `${service.url}/api/v1/channels/${channel_id}/events`
        const asked = fetch(url, { headers: { Authorization: `Bearer ${key}` }, signal: controller.signal })
        return { asked, leave: () => controller.abort() }
      })
      await Promise.race(given.map(({ asked }) => asked))
      for (const { leave } of given) leave()
      await Promise.allSettled(given.map(({ asked }) => asked))
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
  const cutOff = new Promise<void>(resolve => {
    const server = createServer((_, response) => {
      response.write(Buffer.alloc(64 * 1024 * 1024))
      new EventStream(channel_id, undefined, response).end()
      response.end()
      response.once('close', () => {
        resolve()
        server.close()
      })
    })
    server.listen(0, () => {
      const { port } = z.object({ port: z.number() }).parse(server.address())
      const socket = connect(port, 'localhost')
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    })
  })
  await cutOff
})

test('a stream that is open for days misses nothing: its events are kept', async () => {
  const HALF_A_DAY = 13 * 3_600_000
  let clock = Date.now()
  const database = await createTestDatabase()
  const patient = await startTestService({}, { now: () => clock, database })
  const bob = await createAccount(patient)
  const id = await createChannel(bob)
  const stream = await listenTo(patient.url, bob.api_key, id)
  for (let day = 0; day < 3; day++) {
    clock += HALF_A_DAY
    const path = await pushCard(bob.key, `/channels/${id}/cards`)
    expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
  }
  stream.leave()
  await patient.stop()
  await database.drop()
})

test('HEAD opens no stream', async () => {
  const answer = await fetch(`${service.url}/api/v1/channels/${channel_id}/events`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${ann.api_key}` },
  })
  expect(answer.status).toBe(200)
  const [row] = await service.sql`select events_until from documents where channel_id = ${channel_id}`
  expect(row?.events_until).toBeNull()
})

test('events need a key that may read the channel', async () => {
  const status = async (api_key: string, id = channel_id) => (await listenTo(service.url, api_key, id)).status
  expect(await status('none')).toBe(401)
  expect(await status(ann.api_key, 'x')).toBe(404)
  expect(await status(ann.api_key, randomUUID())).toBe(404)
  expect(await status((await createAccount(service)).api_key)).toBe(403)
  const workspace_id = await createTestWorkspace(ann.session)
  expect(await status((await createTestKey(ann.session, { workspace_id })).key)).toBe(403)
  expect(await ann.session('GET', `/channels/${channel_id}/events`)).toMatchObject(refusal(404, 'Not found'))
})
