// What people see of the agent that asked: that it waits, when it last looked, or that it has left.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { makeSend, question, text } from './support/api.ts'
import { findings } from './support/axe.ts'
import { choose, expectDescription, notesOf, questionOn, TITLE } from './support/decisions.ts'
import { goOffline } from './support/interactions.ts'
import { answerLooks, type LooksAnswer, looksAt, setVisibility } from './support/looks.ts'
import { failWith } from './support/requests.ts'
import { api, browser, createChannel, opened, server, session, setStage, signedIn } from './support/stage.ts'
import { KEEPING, keptForOffline, linkStatus, openChannel, type Visit, visit } from './support/visit.ts'

setStage()
beforeAll(() => session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' }))

const PAUSE_MS = 20_000

async function ask(decision: object = {}) {
  const { id } = await createChannel()
  const pushed = await api.push(id, [TITLE, question(decision, 'Approve', 'Reject')])
  return { id, card_id: pushed.id, decision_id: pushed.decisions?.[0]?.id ?? '' }
}

/** The channel in a window whose clock the test turns. */
async function openWith({ page }: Visit, channel: string, answer?: LooksAnswer) {
  const looks = await answerLooks(page, answer)
  await page.clock.install()
  await openChannel(page, server, channel)
  await questionOn(page).waitFor()
  return { page, looks }
}

/** Turns the clock to the page's next request for looks. */
async function nextLooks(page: Page): Promise<void> {
  await Promise.all([page.waitForResponse('**/looks'), page.clock.fastForward(PAUSE_MS)])
}

test.each<[string, object, number, boolean, string]>([
  ['waits', {}, 0, true, 'An agent is waiting'],
  ['waits', { abandon: 'cancel' }, 0, true, 'An agent is waiting'],
  ['looked a moment ago', {}, 0, false, 'An agent last looked just now'],
  ['looked 4 minutes ago', {}, 4.5, false, 'An agent last looked 4 min ago'],
  ['left', { abandon: 'cancel' }, 1, false, 'The agent has left. This closes soon.'],
])('D10: the page says that an agent %s: %o, %s min, %s', async (_, decision, minutes, waiting, words) => {
  const { id, decision_id } = await ask({ ...decision, who: 'owner', expires_in: 90_000 })
  for (const visited of [await signedIn(), await visit(browser)]) {
    const { page } = await openWith(visited, id, looksAt(decision_id, minutes, waiting))
    await expectDescription(questionOn(page), new RegExp(`^Closes in 1 day Only the owner .*${words}$`))
  }
})

test('D10: an agent that waits is shown, and gets the answer of the person who saw that', async () => {
  const { id, decision_id } = await ask({ abandon: 'cancel' })
  const agent = makeSend(`${server.url}/api/v1`, { Authorization: `Bearer ${server.api_key}` })
  const answer = agent<FullDecision>('GET', `/channels/${id}/decisions/${decision_id}?wait=60`)
  const { page } = await opened(id)
  // The first request may come before the server has noted that the agent waits.
  await expectDescription(questionOn(page), 'An agent is waiting')
  await choose(page, 'Approve')
  expect(await answer).toMatchObject({ state: 'decided', outcome: { button_id: 'approve' } })
})

test('D10: a question that no agent has looked at says nothing, and a failed request says nothing', async () => {
  const { id, decision_id } = await ask({ who: 'owner' })
  const other = looksAt('another question', 0, true)
  const { page, looks } = await openWith(await signedIn(), id, other)
  await expect.poll(looks.requests).toBe(1)
  await expectDescription(questionOn(page), 'Only the owner can decide You act as Owner')
  looks.set(looksAt(decision_id, 0, true))
  await nextLooks(page)
  await expectDescription(questionOn(page), /An agent is waiting$/)
  for (const failure of [failWith('unavailable'), failWith('channel_not_found')]) {
    looks.set(failure)
    await nextLooks(page)
    await expectDescription(questionOn(page), 'Only the owner can decide You act as Owner')
    looks.set(looksAt(decision_id, 0, true))
    await nextLooks(page)
    await expectDescription(questionOn(page), /An agent is waiting$/)
  }
})

test('the page asks once every 20 s, and the minutes since the last look pass without a request', async () => {
  const { id, decision_id } = await ask()
  const { page, looks } = await openWith(await signedIn(), id, looksAt(decision_id, 4.9))
  await expectDescription(questionOn(page), 'An agent last looked 4 min ago')
  expect(looks.requests()).toBe(1)
  await page.clock.fastForward(10_000)
  await expectDescription(questionOn(page), 'An agent last looked 5 min ago')
  expect(looks.requests()).toBe(1)
  await nextLooks(page)
  expect(looks.requests()).toBe(2)
})

test('a hidden page asks nothing, and asks again when the person returns', async () => {
  const { id, decision_id } = await ask()
  const { page, looks } = await openWith(await signedIn(), id, looksAt(decision_id, 0, true))
  await expectDescription(questionOn(page), 'An agent is waiting')
  await setVisibility(page, 'hidden')
  for (let i = 0; i < 5; i++) await page.clock.fastForward(PAUSE_MS)
  expect(looks.requests()).toBe(1)
  // What was known is too old to be said.
  looks.set(looksAt(decision_id, 2))
  await setVisibility(page, 'visible')
  await expectDescription(questionOn(page), /^$|^An agent last looked/)
  await page.clock.fastForward(2_000)
  await expectDescription(questionOn(page), /^An agent last looked/)
  expect(looks.requests()).toBe(2)
})

test('without a network the page asks nothing and says nothing about the agent', async () => {
  const { id, decision_id } = await ask()
  const visited = await signedIn(KEEPING)
  const { page, looks } = await openWith(visited, id, looksAt(decision_id, 0, true))
  await keptForOffline(page)
  await expectDescription(questionOn(page), 'An agent is waiting')
  await goOffline(page)
  await expectDescription(questionOn(page), 'You are offline, so this may have changed')
  const before = looks.requests()
  for (let i = 0; i < 3; i++) await page.clock.fastForward(PAUSE_MS)
  expect(looks.requests()).toBe(before)
  await page.context().setOffline(false)
  await linkStatus(page, 'live')
  await page.clock.fastForward(2_000)
  await expectDescription(questionOn(page), 'An agent is waiting')
})

test('the page asks only while a waiting question is on the screen', async () => {
  const { id, decision_id } = await ask()
  for (let i = 0; i < 3; i++) await api.push(id, [text('A tall card\n'.repeat(12))])
  const visited = await signedIn({ viewport: { width: 1280, height: 600 } })
  const looks = await answerLooks(visited.page, looksAt(decision_id, 0, true))
  const { page } = visited
  await page.clock.install()
  await openChannel(page, server, id)
  await page.clock.fastForward(PAUSE_MS)
  expect(looks.requests()).toBe(0)
  await questionOn(page).scrollIntoViewIfNeeded()
  await page.clock.fastForward(2_000)
  await expectDescription(questionOn(page), 'An agent is waiting')
  expect(looks.requests()).toBe(1)
  await page.locator('.feed-scroller').evaluate(feed => feed.scrollTo(0, 0))
  await expect.poll(() => isOnScreen(page)).toBe(false)
  for (let i = 0; i < 3; i++) await page.clock.fastForward(PAUSE_MS)
  expect(looks.requests()).toBe(1)
})

/** Whether any part of the question is in the window. It may have left the page. */
const isOnScreen = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.decision')].some(one => one.getBoundingClientRect().top < innerHeight),
  )

test('a question that arrives is asked about within 2 s, and an ended one is not asked about', async () => {
  const { id, decision_id } = await ask()
  const { page, looks } = await openWith(await signedIn(), id, looksAt(decision_id, 0, true))
  await expectDescription(questionOn(page), 'An agent is waiting')
  const next = await api.push(id, [text('Release 2.6.0'), question({}, 'Go', 'Stop')])
  const nextId = next.decisions?.[0]?.id ?? ''
  looks.set({ looks: { ...looksAt(decision_id, 0, true).looks, ...looksAt(nextId, 0, true).looks } })
  await questionOn(page, 'Release 2.6.0').waitFor()
  await page.clock.fastForward(2_000)
  await expectDescription(questionOn(page, 'Release 2.6.0'), 'An agent is waiting')
  expect(looks.requests()).toBe(2)
  for (const decision of [decision_id, nextId]) await api.withdraw(id, decision)
  for (const name of ['Release 2.5.0', 'Release 2.6.0'])
    await expectDescription(questionOn(page, name), /^No longer needed/)
  await page.clock.fastForward(PAUSE_MS)
  await page.clock.fastForward(PAUSE_MS)
  expect(looks.requests()).toBe(2)
})

test('D5, D9: a press that arrives after the agent stopped waiting says so until it is dismissed', async () => {
  const { id, card_id } = await ask()
  const { page } = await openWith(await signedIn(), id)
  const current = await session<object>('GET', `/channels/${id}/cards/${card_id}/decision`)
  const ended_at = new Date().toISOString()
  const decision = { ...current, state: 'cancelled', reason: 'abandoned', ended_at }
  await page.route('**/interactions', failWith('cancelled', { code: 'cancelled', decision }))
  await choose(page, 'Approve')
  const note = 'The agent stopped waiting before your Approve arrived. It did not count.'
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([note])
  await page.mouse.move(0, 0)
  await expectDescription(questionOn(page), /^The agent stopped waiting · \d{1,2}:\d\d/)
  expect(await findings(page)).toEqual([])
  await page.reload()
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([note])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await notesOf(questionOn(page)).waitFor({ state: 'detached' })
})
