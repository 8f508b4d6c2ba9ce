// The client behind a network that loses, refuses, stalls and cuts: everything takes effect once.
import { describe, expect, test } from 'vitest'
import type { ChannelHandle } from '../../client/channel.ts'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { ConnectionError } from '../../client/errors.ts'
import type { ChannelEvent } from '../../client/events.ts'
import { createTestKey } from '../support/account.ts'
import { answer, nextQuestion } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.ts'
import { runWithOwner } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const { service, ann } = await runWithOwner()

/** Short, so that a stalled attempt is over soon. */
const TIMEOUT_MS = 500

/** A new channel, as the client sees it through a proxy. */
async function startFaulty() {
  const channel = await createChannel(ann, { mode: 'interactive' })
  const proxy = await startFaultyProxy(service.url)
  const client = new ChannelFeed({ url: proxy.url, key: ann.api_key, timeout: TIMEOUT_MS })
  return { channel, proxy, client, feed: client.channel(channel) }
}

const note = (content = 'Hello') => [{ type: 'text' as const, id: 'note', content }]

async function cardsOf(feed: ChannelHandle) {
  return (await feed.cards().page()).cards
}

describe.each<Fault>(['lose', 'refuse', 'stall'])('a network with the fault %s', fault => {
  test('a card is pushed once, with and without a key', async () => {
    const { proxy, feed } = await startFaulty()
    proxy.fail(fault, fault)
    const { id } = await feed.push(note())
    proxy.fail(fault)
    const keyed = await feed.push(note(), { key: 'build' })
    expect((await cardsOf(feed)).map(card => card.id)).toEqual([keyed.id, id])
  })

  test('a PATCH appends its rows once', async () => {
    const { proxy, feed } = await startFaulty()
    const { id } = await feed.push([{ type: 'kv', id: 'facts', rows: [] }])
    proxy.fail(fault, fault)
    const rows = [{ key: 'Host', value: 'web-1' }]
    await feed.patch(id, { blocks: [{ id: 'facts', patch: { append_rows: rows } }] })
    expect((await feed.card(id)).blocks).toMatchObject([{ rows }])
  })

  test('a channel is created once, and the deletion of a card and a channel succeeds', async () => {
    const { proxy, client } = await startFaulty()
    proxy.fail(fault)
    const { id } = await client.createChannel({ name: fault, workspace_id: ann.workspace_id })
    const channels = await client.channels(ann.workspace_id)
    expect(channels.filter(({ name }) => name === fault).map(channel => channel.id)).toEqual([id])
    const feed = client.channel(id)
    const card = await feed.push(note())
    proxy.fail(fault)
    await feed.remove(card.id)
    expect(await cardsOf(feed)).toEqual([])
    proxy.fail(fault)
    await feed.delete()
  })

  test('a question is asked once, and its answer arrives', async () => {
    const { channel, proxy, feed } = await startFaulty()
    proxy.fail(fault, fault)
    const asked = feed.ask({ question: 'Deploy?', choices: ['Deploy', 'Not now'] })
    const question = await nextQuestion(ann, channel)
    await until(() => service.waits.open.length === 1, 'it waits')
    // A stalled wait would take a minute.
    proxy.fail(fault === 'stall' ? 'refuse' : fault)
    proxy.cut()
    await answer(ann, question, { button_id: 'Not now' })
    expect(await asked).toMatchObject({ choice: 'Not now', approved: false })
    expect(await cardsOf(feed)).toHaveLength(1)
  })

  test('a press of an agent counts once, and its repetition returns the first result', async () => {
    const { channel, proxy, client, feed } = await startFaulty()
    const asked = feed.ask({ question: 'Deploy?', agents: true })
    const { id } = await nextQuestion(ann, channel)
    const other = await createTestKey(ann.session)
    const agent = new ChannelFeed({ url: proxy.url, key: other.key, timeout: TIMEOUT_MS })
    const [card] = await cardsOf(feed)
    proxy.fail(fault)
    const seen = card?.updated_at
    const decision = await agent.decision(`${channel}/${id}`).decide('Approve', { seen })
    expect(decision).toMatchObject({ state: 'decided', outcome: { button_id: 'Approve' } })
    expect((await asked).by.kind).toBe('agent')
    expect((await feed.interactions().page()).interactions).toHaveLength(1)
    expect(await client.decision(`${channel}/${id}`).get()).toEqual(decision)
  })
})

test('a header action isn’t added again after its answer was lost, because nothing would recognise it', async () => {
  const { proxy, feed } = await startFaulty()
  proxy.fail('lose')
  await expect(feed.addAction({ label: 'Retry' })).rejects.toThrow(ConnectionError)
  expect(await feed.actions()).toHaveLength(1)
})

test('a stalled response ends with its timeout, and without retries the error arrives at once', async () => {
  const { proxy } = await startFaulty()
  const client = new ChannelFeed({ url: proxy.url, key: ann.api_key, timeout: 100, retries: 0 })
  proxy.fail('stall')
  await expect(client.workspaces()).rejects.toThrow(ConnectionError)
  expect(proxy.requests).toHaveLength(1)
})

test('an abort ends a request with the reason of its signal', async () => {
  const { proxy, client } = await startFaulty()
  proxy.fail('stall')
  const controller = new AbortController()
  const request = client.request('GET', '/workspaces', undefined, { signal: controller.signal })
  await until(() => proxy.open() === 1, 'the request is under way')
  controller.abort(new Error('no longer needed'))
  await expect(request).rejects.toThrow('no longer needed')
})

test('a wait goes on when the service comes back elsewhere', async () => {
  const { channel, proxy, feed } = await startFaulty()
  const asked = feed.ask({ question: 'Deploy?' })
  const question = await nextQuestion(ann, channel)
  await until(() => service.waits.open.length > 0, 'it waits')
  proxy.target = null
  proxy.cut()
  await until(() => proxy.requests.length >= 4, 'it has asked again')
  await answer(ann, question, { button_id: 'Approve' })
  proxy.target = service.url
  expect(await asked).toMatchObject({ choice: 'Approve', approved: true })
})

describe('an event stream', () => {
  test('cut connections leave no gap and repeat nothing', async () => {
    const { proxy, feed } = await startFaulty()
    const direct = new ChannelFeed({ url: service.url, key: ann.api_key }).channel(feed.id)
    const controller = new AbortController()
    const events: ChannelEvent[] = []
    const reading = (async () => {
      for await (const event of feed.events({ signal: controller.signal })) events.push(event)
    })()
    const pushed: string[] = []
    for (let round = 0; round < 3; round++) {
      await until(() => proxy.begun() === 1, 'the stream is open')
      pushed.push((await direct.push(note(`${round}`))).id)
      // Some of these arrive before the connection breaks.
      if (round > 0) await until(() => events.length > 0, 'an event has arrived')
      proxy.cut()
      proxy.fail('refuse')
      pushed.push((await direct.push(note(`${round} in the meantime`))).id)
    }
    await until(() => events.length >= pushed.length, 'all have arrived')
    expect(events.map(({ type, data }) => [type, 'id' in data && data.id])).toEqual(
      pushed.map(id => ['card.inserted', id]),
    )
    expect(new Set(events.map(({ id }) => id)).size).toBe(pushed.length)
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })

  test('an event is not lost if the first connection breaks before any event', async () => {
    const { proxy, feed } = await startFaulty()
    const direct = new ChannelFeed({ url: service.url, key: ann.api_key }).channel(feed.id)
    const events = feed.events()
    const first = events.next()
    await until(() => proxy.begun() === 1, 'the stream is open')
    proxy.target = null
    proxy.cut()
    const { id } = await direct.push(note())
    proxy.target = service.url
    expect((await first).value).toMatchObject({ type: 'card.inserted', data: { id } })
    await events.return()
    await until(() => proxy.open() === 0, 'the stream is closed')
  })

  test('`since` continues after an event, and one that is too old yields `reset`', async () => {
    const { proxy, feed } = await startFaulty()
    const events = feed.events()
    const first = events.next()
    await until(() => proxy.begun() === 1, 'the stream is open')
    const cards = [await feed.push(note()), await feed.push(note())]
    const { value: inserted } = await first
    await events.return()
    const next = feed.events({ since: inserted?.id })
    expect((await next.next()).value).toMatchObject({ type: 'card.inserted', data: { id: cards[1]?.id } })
    await next.return()
    const lost = feed.events({ since: '1.1.-1.0.from-elsewhere' })
    expect((await lost.next()).value).toMatchObject({ type: 'reset', data: {} })
    await lost.return()
  })

  test('a deleted channel ends the events with an error', async () => {
    const { client, feed } = await startFaulty()
    await feed.delete()
    await expect(client.channel(feed.id).events().next()).rejects.toThrow('Channel not found')
  })
})
