// Server-sent events: a stream continues exactly after Last-Event-ID.
import { describe, expect, test } from 'vitest'
import { createAccount, withKey } from '../support/account.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { createTestDatabase } from '../support/database.ts'
import { idOf, runEventScene } from '../support/event-scene.ts'
import { listenTo, type StreamEvent } from '../support/event-stream.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'

const scene = await runEventScene()
const { service, other, ann, follow } = scene

describe('Last-Event-ID', () => {
  test('Last-Event-ID continues with exactly the missed events', async () => {
    const witness = await follow()
    const stream = await follow()
    const path = await pushCard(ann.key, scene.cards)
    const { id } = await stream.next()
    stream.leave()
    await ann.key('PATCH', path, { status: 'error' })
    await pushCard(ann.key, scene.cards)
    await ann.key('DELETE', path)
    const returned = await follow(id)
    expect(await returned.take(3)).toEqual((await witness.take(4)).slice(1))
    await pushCard(ann.key, scene.cards)
    expect(await returned.next()).toEqual(await witness.next())
    expect(returned.events.map(({ event }) => event)).not.toContain('reset')
  })

  test('Last-Event-ID continues from the beginning of a stream that ended before its first event', async () => {
    const stream = await follow()
    stream.leave()
    const path = await pushCard(ann.key, scene.cards)
    expect(await (await follow(stream.first_id)).next()).toMatchObject({
      event: 'card.inserted',
      data: { id: idOf(path) },
    })
  })

  test('Last-Event-ID continues after every event, even within one turn', async () => {
    const witness = await follow()
    await times(10, () => pushCard(ann.key, scene.cards))
    const events = await witness.take(10)
    for (const [i, { id }] of events.entries()) {
      const returned = await follow(id)
      expect(await returned.take(9 - i)).toEqual(events.slice(i + 1))
      returned.leave()
    }
  })

  test('Last-Event-ID works on another instance', async () => {
    const stream = await follow()
    await pushCard(ann.key, scene.cards)
    const { id } = await stream.next()
    const path = await pushCard(ann.key, scene.cards)
    expect(await (await follow(id, other.url)).next()).toMatchObject({ data: { id: idOf(path) } })
  })

  test('Last-Event-ID works after a restart of the service', async () => {
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
    await second.stop()
    await database.drop()
  })

  test('under load on two instances, nothing is missed or repeated', async () => {
    const witness = await follow()
    const calls = [ann.key, withKey(other.url, ann.api_key)]
    let writing = true
    const writes = times(6, async worker => {
      for (let i = 0; i < 25; i++) {
        const call = calls[(worker + i) % 2] ?? ann.key
        const path = await pushCard(call, scene.cards, textCard(`${worker}.${i}`))
        if (i % 5 === 0) await call('PATCH', path, { status: 'error' })
        if (i % 7 === 0) await call('DELETE', path)
      }
    }).finally(() => {
      writing = false
    })
    const got: StreamEvent[] = []
    let last: string | undefined
    let turns = 0
    while (writing) {
      // Leaves and returns again and again, on either instance.
      const stream = await follow(last, turns++ % 2 ? other.url : service.url)
      if (last === undefined) {
        await pushCard(ann.key, scene.cards)
        got.push(await witness.next(), ...(await stream.take(1)).slice(1))
      } else got.push(...(await Promise.race([stream.take(3), writes.then(() => [])])))
      stream.leave()
      last = got.at(-1)?.id
    }
    await writes
    const end = await pushCard(ann.key, scene.cards, textCard('the end'))
    const isEnd = ({ data }: StreamEvent) => Reflect.get(Object(data), 'id') === idOf(end)
    const stream = await follow(last)
    for (let event = await stream.next(); ; event = await stream.next()) {
      got.push(event)
      if (isEnd(event)) break
    }
    while (!witness.events.some(isEnd)) await witness.next()
    const witnessed = witness.events
    expect(got).toEqual(witnessed.slice(witnessed.findIndex(({ id }) => id === got[0]?.id)))
    expect(witnessed.map(({ event }) => event)).not.toContain('reset')
    const count = (event: string) => witnessed.filter(seen => seen.event === event).length
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
    await pushCard(ann.key, scene.cards)
    const stream = await follow(id)
    // With a known one, a client that gets disconnected before the reset would miss it.
    expect(['', id]).toContain(stream.first_id)
    const reset = await stream.next()
    expect(reset).toMatchObject({ event: 'reset' })
    const path = await pushCard(ann.key, scene.cards)
    expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
    const returned = await follow(reset.id)
    expect(await returned.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
  })

  test('an id older than the log gets a reset first', async () => {
    const stream = await follow()
    await pushCard(ann.key, scene.cards)
    const { id } = await stream.next()
    await pushCard(ann.key, scene.cards)
    await pushCard(ann.key, scene.cards)
    const { sql } = service
    const oldest = sql`select max(seq) - 1 from document_updates where channel_id = ${scene.channel_id}`
    await sql`delete from document_updates where channel_id = ${scene.channel_id} and seq = (${oldest})`
    const returned = await follow(id)
    expect(await returned.next()).toMatchObject({ event: 'reset' })
    const path = await pushCard(ann.key, scene.cards)
    expect(await returned.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
  })
})

test('a stream that is open for days misses nothing', async () => {
  const HALF_A_DAY = 13 * 3_600_000
  let clock = Date.now()
  const patient = await startTestService({}, { now: () => clock })
  const bob = await createAccount(patient)
  const id = await createChannel(bob)
  const stream = await listenTo(patient.url, bob.api_key, id)
  for (let day = 0; day < 3; day++) {
    clock += HALF_A_DAY
    const path = await pushCard(bob.key, `/channels/${id}/cards`)
    expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: { id: idOf(path) } })
  }
  await patient.stop()
})
