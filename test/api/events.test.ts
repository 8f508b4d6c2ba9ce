// Server-sent events: which events a stream sends, and in which order.
import { describe, expect, test } from 'vitest'
import { pushCard, readCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { idOf, runEventScene } from '../support/event-scene.ts'
import { insertInteraction } from '../support/interactions.ts'
import { times } from '../support/times.ts'

const scene = await runEventScene()
const { service, ann, follow } = scene

describe('a stream', () => {
  test('a stream sends card.inserted, updated and deleted with the JSON that GET returns', async () => {
    const stream = await follow()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('Content-Type')).toMatch(/^text\/event-stream/)
    expect(stream.headers.get('Cache-Control')).toBe('no-store')
    const path = await pushCard(ann.key, scene.cards, {
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
    expect(deleted.data).toStrictEqual({ id: made.id, channel_id: scene.channel_id })
  })

  test('a stream sends the key of a card that has one', async () => {
    const stream = await follow()
    await ann.key('PUT', `${scene.cards}/by-key/build-1`, textCard())
    await ann.key('PUT', `${scene.cards}/by-key/build-1`, textCard('Again'))
    const [made, changed] = await stream.take(2)
    expect(made).toMatchObject({ event: 'card.inserted', data: { key: 'build-1' } })
    expect(changed).toMatchObject({
      event: 'card.updated',
      data: { key: 'build-1', blocks: [{ content: 'Again' }] },
    })
  })

  test('a stream starts with the next event and never repeats ids', async () => {
    await pushCard(ann.key, scene.cards)
    const stream = await follow()
    const paths = await times(20, () => pushCard(ann.key, scene.cards))
    const events = await stream.take(20)
    expect(events.map(({ event }) => event)).toEqual(Array(20).fill('card.inserted'))
    expect(events.map(({ data }) => Reflect.get(Object(data), 'id')).sort()).toEqual(paths.map(idOf).sort())
    expect(new Set(events.map(({ id }) => id)).size).toBe(20)
  })

  test("a stream sends nothing for an empty PATCH and for changes of the channel's head", async () => {
    const stream = await follow()
    const path = await pushCard(ann.key, scene.cards)
    await ann.key('PATCH', path, {})
    await ann.key('PATCH', `/channels/${scene.channel_id}`, { name: 'Other' })
    await ann.key('POST', `/channels/${scene.channel_id}/actions`, { label: 'Go' })
    await ann.key('DELETE', path)
    expect((await stream.take(2)).map(({ event }) => event)).toEqual(['card.inserted', 'card.deleted'])
  })

  test('a stream sends changes in archived pages', async () => {
    const path = await pushCard(ann.key, scene.cards)
    await times(5 * 64, () => pushCard(ann.key, scene.cards))
    const stream = await follow()
    await ann.key('PATCH', path, { status: 'error' })
    await ann.key('DELETE', path)
    const [changed, deleted] = await stream.take(2)
    expect(changed).toMatchObject({ event: 'card.updated', data: { id: idOf(path), status: 'error' } })
    expect(deleted).toMatchObject({ event: 'card.deleted', data: { id: idOf(path) } })
  })

  test('a stream sends events of its own channel only', async () => {
    const stream = await follow()
    const elsewhere = `/channels/${await createChannel(ann)}/cards`
    await pushCard(ann.key, elsewhere)
    const path = await pushCard(ann.key, scene.cards)
    expect(await stream.next()).toMatchObject({ data: { id: idOf(path) } })
  })

  test('a stream sends interactions with the fields of the list', async () => {
    const stream = await follow()
    const interaction = await insertInteraction(service.sql, scene.channel_id, { type: 'reply', text: 'Hi' })
    await pushCard(ann.key, scene.cards) // wakes the stream
    const events = await stream.take(2)
    expect(events.find(({ event }) => event === 'interaction.created')?.data).toStrictEqual(interaction)
  })

  test('a stream sends more interactions than it reads at once', async () => {
    const first = await follow()
    await pushCard(ann.key, scene.cards)
    const { id } = await first.next()
    await service.sql`
      insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
      select ${scene.channel_id}, n, gen_random_uuid(), 'reply', jsonb_build_object('type', 'reply', 'text', n::text), now()
      from generate_series(1, 1201) n`
    const events = await (await follow(id)).take(1_201)
    expect(events.map(({ data }) => Reflect.get(Object(data), 'trigger').text)).toEqual(
      Array.from({ length: 1_201 }, (_, i) => `${i + 1}`),
    )
  })
})
