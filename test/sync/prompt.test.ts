// P6 and D2: what one instance writes is shown on another one in about a second. The best tries count: a busy machine delays
// some of them, a delay that is built in delays all.
import { beforeEach, expect, test } from 'vitest'
import { type Account, createAccount, withKey } from '../support/account.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { ask, waitFor } from '../support/decisions.ts'
import { listenTo } from '../support/event-stream.ts'
import { openPage } from '../support/open-page.ts'
import { runInstances } from '../support/running.ts'
import { callTo } from '../support/service.ts'
import { until, watchSynced } from '../support/viewer.ts'

const TRIES = 5
const LIMIT_MS = 1_500

const { here, there } = await runInstances({ WORKSPACE_LIMIT: '0' })
const anyone = callTo(`${here.url}/api`)
let ann: Account
let channel_id: string
let cards: string
// What other tests wrote must not bring anything.
beforeEach(async () => {
  ann = await createAccount(here)
  await patchWorkspace(ann, { visibility: 'public' })
  channel_id = await createChannel(ann, { mode: 'interactive' })
  cards = `/channels/${channel_id}/cards`
})
const reply = () =>
  anyone('POST', `/channels/${channel_id}/interactions`, { trigger: { type: 'reply', text: 'Hi' } })

/** From the answer to a write on one instance until the other one shows it: the mean of the best two tries in a row, in milliseconds. */
async function bestOf(
  attempt: (i: number) => Promise<{ written: Promise<unknown>; shown: Promise<unknown> }>,
) {
  const took: number[] = []
  for (let i = 0; i < TRIES; i++) {
    const { written, shown } = await attempt(i)
    await written
    const began = performance.now()
    await shown
    took.push(performance.now() - began)
  }
  // One may be shown by luck, for example by the notice of the try before. Two in a row are not.
  const pairs = took.slice(1).map((ms, i) => (ms + (took[i] ?? ms)) / 2)
  return Math.min(...pairs)
}

test('a viewer shows a card of another instance', async () => {
  const viewer = await watchSynced(there.url, channel_id)
  const best = await bestOf(async () => {
    const count = viewer.cards().length
    return { written: pushCard(ann.key, cards), shown: viewer.sees(shown => shown.length > count) }
  })
  expect(best).toBeLessThan(LIMIT_MS)
})

test('an event stream has a card and an interaction of another instance', async () => {
  const stream = await listenTo(there.url, ann.api_key, channel_id)
  const card = await bestOf(async () => ({ written: pushCard(ann.key, cards), shown: stream.next() }))
  const interaction = await bestOf(async () => ({ written: reply(), shown: stream.next() }))
  expect(card).toBeLessThan(LIMIT_MS)
  expect(interaction).toBeLessThan(LIMIT_MS)
})

test('D2: a waiting request learns of a press on another instance', async () => {
  const best = await bestOf(async () => {
    const asked = await ask(ann.key, channel_id)
    const shown = waitFor(withKey(there.url, ann.api_key), asked.path)
    // The wait has begun when a later request has an answer.
    await withKey(there.url, ann.api_key)('GET', asked.path)
    const trigger = { type: 'button_click', button_id: 'yes' }
    const body = { card_id: asked.card_id, trigger }
    return { written: anyone('POST', `/channels/${channel_id}/interactions`, body), shown }
  })
  expect(best).toBeLessThan(LIMIT_MS)
})

test('an open workspace page counts the cards of another instance', async () => {
  const page = await openPage(there.url, ann.slug, ann.cookie)
  const count = () => page.activity()[channel_id]?.card_count ?? 0
  const best = await bestOf(async () => {
    const before = count()
    return { written: pushCard(ann.key, cards), shown: until(() => count() > before, 'the card is counted') }
  })
  // At once after the first change, then once a second.
  expect(best).toBeLessThan(LIMIT_MS)
})

test('an open workspace page shows a channel’s new name from another instance', async () => {
  const page = await openPage(there.url, ann.slug, ann.cookie)
  const best = await bestOf(async i => ({
    written: ann.key('PATCH', `/channels/${channel_id}`, { name: `Name ${i}` }),
    shown: page.sees(({ channels }) => channels[0]?.name === `Name ${i}`, 'the name'),
  }))
  expect(best).toBeLessThan(LIMIT_MS)
})
