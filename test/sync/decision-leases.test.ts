// D9: when a question that nobody waits for any more ends, and when it stays. The clocks of the instances and their database
// are moved.
import { beforeEach, describe, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { createTestKey, withKey } from '../support/account.ts'
import { type Asked, ask, decisionOf, openWait } from '../support/decisions.ts'
import { listenTo } from '../support/event-stream.ts'
import { runWithMovedClock } from '../support/moved-clock.ts'
import { buildScene } from '../support/scene.ts'
import type { TestService } from '../support/service.ts'
import { until, watchSynced } from '../support/viewer.ts'

const clock = await runWithMovedClock()
const { sql } = clock.database
const here = await clock.run()
const there = await clock.run()
const both = [here, there]
const { account, channel_id, interact } = await buildScene(here)
const { key, api_key } = account
// Instances close nothing in their first minute.
await clock.pass(60, both)

let asked: Asked
beforeEach(async () => {
  asked = await ask(key, channel_id, { abandon: 'cancel' })
})

const read = async (session = account.session) => (await session<FullDecision>('GET', asked.path)).body
const wait = (at: TestService = here, token = api_key) => openWait(at, token, asked)
const leased = async () => {
  const [row] = await sql`select from decision_looks where decision_id = ${asked.id} and leased`
  return row !== undefined
}
/** Waits until there is a lease. */
async function waitLeased(at = here) {
  const waiting = await wait(at)
  await until(leased, 'it has a lease')
  return waiting
}
/** How many seconds pass until the question has ended. */
async function secondsToEnd(instances = both, max = 90): Promise<number> {
  for (let seconds = 1; seconds <= max; seconds++) {
    await clock.pass(1, instances)
    if ((await read()).state !== 'waiting') return seconds
  }
  return Number.POSITIVE_INFINITY
}
const abandoned = { state: 'cancelled', reason: 'abandoned', outcome: null }

describe('a question that may be abandoned', () => {
  test('D9: the question stays for as long as somebody waits, on any instance', async () => {
    const waiting = await waitLeased(there)
    await clock.pass(150, both)
    expect(await read()).toMatchObject({ state: 'waiting' })
    await waiting.leave()
  })

  test('D9: the question ends 15 to 45 s after its last waiter has left', async () => {
    const waiting = await waitLeased()
    for (const seconds of [0, 3, 12, 18]) {
      await clock.pass(seconds, both)
      expect((await read()).state).toBe('waiting')
    }
    await waiting.leave()
    const seconds = await secondsToEnd()
    expect(seconds).toBeGreaterThan(15)
    expect(seconds).toBeLessThanOrEqual(45)
    expect(await read()).toMatchObject(abandoned)
  })

  test('D9: a waiter that left at once keeps the question for 15 s', async () => {
    await (await wait()).leave()
    await until(leased, 'it has a lease')
    const seconds = await secondsToEnd()
    expect(seconds).toBeGreaterThan(15)
    expect(seconds).toBeLessThanOrEqual(45)
  })

  test('D9: the question stays if its client is back within 15 s, again and again, on either instance', async () => {
    for (const at of [here, there, there, here]) {
      const waiting = await wait(at)
      await clock.pass(7, both)
      await waiting.leave()
      await clock.pass(15, both)
    }
    expect((await read()).state).toBe('waiting')
  })

  test('D9: if two processes wait and one leaves, the question stays', async () => {
    const [first, second] = [await waitLeased(), await wait(there)]
    await clock.pass(10, both)
    await first.leave()
    await clock.pass(60, both)
    expect((await read()).state).toBe('waiting')
    await second.leave()
  })

  test('D9: a question that nobody ever waits for ends 60 to 65 s after it was asked', async () => {
    const seconds = await secondsToEnd()
    expect(seconds).toBeGreaterThanOrEqual(60)
    expect(seconds).toBeLessThanOrEqual(65)
    expect(await read()).toMatchObject(abandoned)
  })

  test('D9: a question with `keep` stays without a waiter', async () => {
    asked = await ask(key, channel_id)
    const waiting = await waitLeased()
    await waiting.leave()
    await clock.pass(90, both)
    expect((await read()).state).toBe('waiting')
  })

  test('D9: a question that is changed to `cancel` has a minute again', async () => {
    asked = await ask(key, channel_id)
    await (await waitLeased()).leave()
    await clock.pass(120, both)
    const patch = { blocks: [{ id: 'ask', patch: { decision: { abandon: 'cancel' } } }] }
    await key('PATCH', `/channels/${channel_id}/cards/${asked.card_id}`, patch)
    expect(await secondsToEnd()).toBeGreaterThanOrEqual(60)
  })
})

describe('a request that counts', () => {
  test.each([
    ['a session', () => account.session],
    ['another key', async () => withKey(here.url, (await createTestKey(account.session)).key)],
  ])('D9: a wait of %s doesn’t keep the question', async (_, callOf) => {
    const call = await callOf()
    const answer = call<FullDecision>('GET', `${asked.path}?wait=60`)
    await until(() => here.waits.open.length === 1, 'it waits')
    const seconds = await secondsToEnd()
    expect(seconds).toBeLessThanOrEqual(65)
    expect((await answer).body).toMatchObject({ id: asked.id, ...abandoned })
  })

  test('D9: looks without a wait, lists, cards and event streams don’t keep the question', async () => {
    await listenTo(here.url, api_key, channel_id)
    const paths = [
      asked.path,
      `/channels/${channel_id}/decisions`,
      `/channels/${channel_id}/cards/${asked.card_id}`,
    ]
    let seconds = 0
    await clock.pass(65, both, async () => {
      for (const path of paths) await key('GET', path)
      if ((await read()).state === 'waiting') seconds++
    })
    expect(seconds).toBeGreaterThanOrEqual(59)
    expect(await read()).toMatchObject(abandoned)
  })

  test('D9: a wait by the question’s card keeps it', async () => {
    const by_card = { ...asked, path: `/channels/${channel_id}/cards/${asked.card_id}/decision` }
    const waiting = await openWait(here, api_key, by_card)
    await until(leased, 'it has a lease')
    await clock.pass(70, both)
    expect((await read()).state).toBe('waiting')
    await waiting.leave()
  })
})

describe('the end of an abandoned question', () => {
  test('D9: screens, an event stream and the list show the question as abandoned, without an interaction', async () => {
    const [stream, screen] = [
      await listenTo(there.url, api_key, channel_id),
      await watchSynced(there.url, channel_id, { token: api_key }),
    ]
    await clock.pass(65, [here])
    await screen.sees(cards =>
      cards.some(card => card.id === asked.card_id && decisionOf(card)?.reason === 'abandoned'),
    )
    const names: string[] = []
    while (names.at(-1) !== 'decision.cancelled') {
      const { event, data } = await stream.next()
      if (JSON.stringify(data).includes(asked.id)) names.push(event)
    }
    expect(names).toEqual(['card.updated', 'decision.cancelled'])
    expect(await sql`select from interactions where decision_id = ${asked.id}`).toHaveLength(0)
    const list = await key('GET', `/channels/${channel_id}/decisions?state=cancelled`)
    expect(list.body).toMatchObject({
      decisions: expect.arrayContaining([expect.objectContaining({ id: asked.id })]),
    })
  })

  test('D9: a press before the end counts even if the agent has left, and the agent reads it later', async () => {
    await (await waitLeased()).leave()
    await clock.pass(14, both)
    const press = { card_id: asked.card_id, trigger: { type: 'button_click', button_id: 'yes' } }
    expect((await interact(press)).status).toBe(201)
    await clock.pass(60, both)
    expect(await read()).toMatchObject({ state: 'decided', outcome: { button_id: 'yes' } })
  })

  test('D9: a press after the end returns 409 cancelled, even if it was made before', async () => {
    const timestamp = new Date().toISOString()
    await clock.pass(65, both)
    const press = { card_id: asked.card_id, trigger: { type: 'button_click', button_id: 'yes' }, timestamp }
    expect(await interact(press)).toMatchObject({
      status: 409,
      body: { error: 'Decision was cancelled', code: 'cancelled', decision: { id: asked.id, ...abandoned } },
    })
  })
})

describe('a deleted key', () => {
  async function askWithKey() {
    const doomed = await createTestKey(account.session)
    asked = await ask(withKey(here.url, doomed.key), channel_id, { abandon: 'cancel' })
    return doomed
  }

  test('D9: the question ends within 45 s after its key is deleted', async () => {
    const doomed = await askWithKey()
    const waiting = await wait(there, doomed.key)
    await until(leased, 'it has a lease')
    await clock.pass(33, both)
    await account.session('DELETE', `/api-keys/${doomed.id}`)
    expect(await waiting.answer).toMatchObject({ error: 'Unauthorized' })
    expect(await secondsToEnd()).toBeLessThanOrEqual(45)
    expect(await read()).toMatchObject(abandoned)
  })

  test('D9: the question of a deleted key that nobody has waited for ends within 65 s', async () => {
    const doomed = await askWithKey()
    await account.session('DELETE', `/api-keys/${doomed.id}`)
    expect(await secondsToEnd()).toBeLessThanOrEqual(65)
  })
})
