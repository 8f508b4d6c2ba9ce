// Askers that leave, on purpose or because something fails, and come back.
import { describe, expect, test } from 'vitest'
import type { ChannelHandle } from '../../client/channel.ts'
import { ChannelFeed } from '../../client/channel-feed.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { createAccount } from '../support/account.ts'
import { answer, nextQuestion } from '../support/answering.ts'
import { cancelledBecause, startAsking } from '../support/asking.ts'
import { createChannel } from '../support/channels.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { runWithMovedClock } from '../support/moved-clock.ts'
import { until } from '../support/viewer.ts'

const clock = await runWithMovedClock()
const service = await clock.run()
const ann = await createAccount(service)
const client = new ChannelFeed({ url: service.url, key: ann.api_key })

const newFeed = async (through = client): Promise<ChannelHandle> =>
  through.channel(await createChannel(ann, { mode: 'interactive' }))
const question = 'Deploy v42?'

describe('an aborted signal', () => {
  test.each([
    [undefined, 'waiting'],
    ['keep' as const, 'waiting'],
    ['cancel' as const, 'cancelled'],
  ])('an abort of a question with `abandon` %s leaves it %s', async (abandon, state) => {
    const controller = new AbortController()
    const { answered, handle } = await startAsking(ann, await newFeed(), {
      abandon,
      signal: controller.signal,
    })
    controller.abort(new Error('Ctrl-C'))
    await expect(answered).rejects.toThrow('Ctrl-C')
    expect((await client.decision(handle).get()).state).toBe(state)
  })

  test('a signal that was aborted before pushes nothing', async () => {
    const feed = await newFeed()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(feed.ask({ question, signal })).rejects.toThrow('too late')
    expect((await feed.cards().page()).cards).toEqual([])
  })

  test('an abort while the card is on its way withdraws the question too', async () => {
    const proxy = await startFaultyProxy(service.url)
    const feed = await newFeed(new ChannelFeed({ url: proxy.url, key: ann.api_key }))
    const controller = new AbortController()
    // Its answer is lost, so the question is there before the client knows.
    proxy.fail('lose')
    const answered = feed.ask({ question, abandon: 'cancel', signal: controller.signal })
    answered.catch(() => {})
    const { id } = await nextQuestion(ann, feed.id)
    controller.abort(new Error('Ctrl-C'))
    await expect(answered).rejects.toThrow('Ctrl-C')
    expect(await client.decision(`${feed.id}/${id}`).get()).toMatchObject({
      state: 'cancelled',
      reason: 'withdrawn',
    })
  })
})

test('a restart of the service doesn’t end the wait', async () => {
  const first = await clock.launch()
  const proxy = await startFaultyProxy(first.url)
  const feed = await newFeed(new ChannelFeed({ url: proxy.url, key: ann.api_key }))
  const { answered, decision } = await startAsking(ann, feed, { abandon: 'cancel' })
  await until(() => first.waits.open.length === 1, 'it waits')
  await first.stop()
  proxy.target = null
  const second = await clock.launch()
  proxy.target = second.url
  await until(() => second.waits.open.length === 1, 'it waits again')
  await answer(ann, decision, { button_id: 'Approve' })
  expect(await answered).toMatchObject({ approved: true })
  await second.stop()
})

test('an asker that stayed away too long reads that its question was abandoned', async () => {
  const proxy = await startFaultyProxy(service.url)
  const feed = await newFeed(new ChannelFeed({ url: proxy.url, key: ann.api_key }))
  const { answered, decision, handle } = await startAsking(ann, feed, { abandon: 'cancel' })
  await until(() => service.waits.open.some(({ decision_id }) => decision_id === decision.id), 'it waits')
  proxy.target = null
  proxy.cut()
  const state = async () =>
    (await ann.key<FullDecision>('GET', `/channels/${feed.id}/decisions/${decision.id}`)).body
  await clock.pass(130, [service])
  await until(async () => (await state()).state === 'cancelled', 'it is closed')
  proxy.target = service.url
  await expect(answered).rejects.toMatchObject(cancelledBecause('abandoned', handle))
})
