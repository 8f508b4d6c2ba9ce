// Questions for everyone: without a mouse, with a screen reader, on narrow pages and in languages written from the right.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { DecisionCode } from '../../shared/decision.ts'
import { question, text } from './support/api.ts'
import { findings, fits } from './support/axe.ts'
import {
  announcement,
  askIn,
  choose,
  collect,
  decideElsewhere,
  expectDescription,
  notesOf,
  outcomeOf,
  questionOn,
  reopen,
  TITLE,
  withdraw,
} from './support/decisions.ts'
import { goOffline } from './support/interactions.ts'
import { answerLooks } from './support/looks.ts'
import { expectFocus } from './support/page.ts'
import { failWith, makeGate } from './support/requests.ts'
import {
  api,
  createChannel,
  opened,
  openedKeeping,
  server,
  session,
  setStage,
  signedIn,
} from './support/stage.ts'
import { openChannel } from './support/visit.ts'

setStage()

test('with the keyboard alone: the buttons stay until Tab, which goes to the receipt', async () => {
  const { id } = await askIn()
  const { page } = await opened(id)
  const approve = questionOn(page).getByRole('button', { name: 'Approve' })
  await approve.focus()
  await page.keyboard.press('Shift')
  await page.keyboard.press('Enter')
  await expectDescription(questionOn(page), 'You chose Approve')
  await expectFocus(approve)
  expect(await approve.getAttribute('aria-disabled')).toBe('true')
  expect(await approve.getAttribute('aria-pressed')).toBe('true')
  expect(await approve.locator('.icon').count()).toBe(1)
  expect(await findings(page)).toEqual([])
  const height = (await questionOn(page).locator('.decision-buttons').boundingBox())?.height
  await page.keyboard.press('Tab')
  await expectFocus(outcomeOf(questionOn(page)))
  expect(await questionOn(page).getByRole('button', { name: 'Approve' }).count()).toBe(0)
  expect((await outcomeOf(questionOn(page)).boundingBox())?.height).toBe(height)
})

test('the buttons stay under the pointer when somebody else decides, marked and without effect', async () => {
  const { id, card_id } = await askIn()
  const { page } = await opened(id)
  const reject = questionOn(page).getByRole('button', { name: 'Reject' })
  const approve = questionOn(page).getByRole('button', { name: 'Approve' })
  await reject.hover()
  await decideElsewhere(id, card_id, 'approve')
  await expectDescription(questionOn(page), 'You chose Approve')
  for (const button of [approve, reject]) expect(await button.getAttribute('aria-disabled')).toBe('true')
  expect(await approve.getAttribute('aria-pressed')).toBe('true')
  expect(await approve.locator('.icon').count()).toBe(1)
  expect(await reject.getAttribute('aria-pressed')).toBe(null)
  await expect.poll(() => announcement(page, 'status').textContent()).toBe('Release 2.5.0: You chose Approve')
  await reject.click({ force: true })
  await page.mouse.move(0, 0)
  await outcomeOf(questionOn(page)).waitFor()
  await expectFocus(outcomeOf(questionOn(page)))
  expect(await notesOf(questionOn(page)).count()).toBe(0)
})

const LAYOUTS = [
  ['left to right', 'ltr', 1280],
  ['at 320 px', 'ltr', 320],
  ['right to left', 'rtl', 320],
] as const

/** Sets the layout, and returns a check of what the page shows in it. */
async function makeCheck(page: Page, dir: string, width: number): Promise<() => Promise<void>> {
  await page.setViewportSize({ width, height: 900 })
  return async () => {
    await page.evaluate(dir => document.documentElement.setAttribute('dir', dir), dir)
    expect(await findings(page)).toEqual([])
    expect(await fits(page)).toBe(true)
  }
}

test.each(LAYOUTS)('axe finds no fault in any state, and all fits: %s', async (_, dir, width) => {
  const { id, card_id } = await createChannel(
    {},
    TITLE,
    question(
      { comment: 'optional', who: 'owner', expires_in: 90_000 },
      'Approve',
      { id: 'reject', label: 'Reject', style: 'danger' },
      'Hold for a while, and ask again',
    ),
  )
  const { page } = await openedKeeping(id)
  const check = await makeCheck(page, dir, width)
  await expectDescription(questionOn(page), /^Closes in 1 day Only the owner can decide/)
  await check()
  // Sending: the response waits.
  const { opened: released, open: release } = makeGate()
  await page.route('**/interactions', async route => {
    await released
    await route.abort()
  })
  await choose(page, 'Approve')
  await expectDescription(questionOn(page), 'Approve: sending…')
  await check()
  release()
  await notesOf(questionOn(page)).getByText('Nothing is decided yet.').waitFor()
  await check()
  await decideElsewhere(id, card_id, 'reject')
  await page.unroute('**/interactions')
  await notesOf(questionOn(page)).getByText('had already chosen').waitFor()
  await check()
  await reopen(id, card_id, { expires_at: null })
  await questionOn(page).getByRole('button', { name: 'Approve' }).waitFor()
  await check()
  await choose(page, 'Approve')
  await page.mouse.move(0, 0)
  await expectDescription(questionOn(page), /^You chose Approve/)
  await check()
  await reopen(id, card_id)
  await questionOn(page).getByRole('button', { name: 'Approve' }).waitFor()
  await withdraw(id, card_id)
  await expectDescription(questionOn(page), /^No longer needed/)
  await check()
  await reopen(id, card_id, { expires_in: 1 })
  await expectDescription(questionOn(page), /^Closed without a decision/)
  await check()
})

test.each(LAYOUTS)('axe finds no fault in what did not count: %s', async (_, dir, width) => {
  const reject = { id: 'reject', label: 'Reject', comment: 'required' }
  const asked = [TITLE, question({ comment: 'optional' }, 'Approve', reject)]
  const { id, card_id } = await createChannel({}, ...asked)
  const { page } = await opened(id)
  const check = await makeCheck(page, dir, width)
  await choose(page, 'Reject')
  await page.getByText('Write a comment, then choose Reject again').waitFor()
  await check()
  const refuse = async (code: DecisionCode, note: string, decision?: object) => {
    await page.route('**/interactions', failWith(code, { code, decision }), { times: 1 })
    await choose(page, 'Approve')
    await page.mouse.move(0, 0)
    await notesOf(questionOn(page)).getByText(note).waitFor()
    await check()
  }
  await refuse('card_changed', 'The card changed while you decided.')
  await refuse('not_allowed', 'You may not decide this.')
  const current = await session<object>('GET', `/channels/${id}/cards/${card_id}/decision`)
  const expired = { ...current, state: 'expired', ended_at: new Date().toISOString() }
  await refuse('expired', 'This closed before', expired)
  await expectDescription(questionOn(page), /^Closed without a decision/)
  await withdraw(id, card_id)
  await reopen(id, card_id)
  await questionOn(page).getByRole('button', { name: 'Approve' }).waitFor()
  await refuse('asked_again', 'The question was asked again.')
  await api.remove(id, card_id)
  await page
    .getByRole('list', { name: 'Your interactions' })
    .getByText('The question was asked again.')
    .waitFor()
  await check()
})

test('offline, the page says that it may be out of date', async () => {
  const { id } = await askIn({ expires_in: 3_000 })
  const { page } = await openedKeeping(id)
  await questionOn(page).waitFor()
  await goOffline(page)
  const words = /^Closes in 4\d min You are offline, so this may have changed$/
  await expectDescription(questionOn(page), words)
  await page.reload()
  await expectDescription(questionOn(page), words)
  expect(await findings(page)).toEqual([])
})

test('a wrong clock does not change the countdown', async () => {
  const { id } = await askIn({ expires_in: 3_000 })
  const { page } = await opened(id)
  await page.clock.install({ time: Date.now() + 2 * 3_600_000 })
  await openChannel(page, server, id)
  await expectDescription(questionOn(page), /^Closes in (49|50) min/)
})

test('the countdown is announced once, at one minute, only while the focus is in the group', async () => {
  const { id } = await askIn({ expires_in: 3_000 })
  const other = [text('Release 2.6.0'), question({ expires_in: 3_000 }, 'Go', 'Stop')]
  await api.push(id, other)
  const { page } = await signedIn()
  // An answer of the server would correct the page's clock.
  await answerLooks(page)
  await page.clock.install()
  await openChannel(page, server, id)
  await questionOn(page, 'Release 2.6.0').waitFor()
  await questionOn(page).getByRole('button', { name: 'Approve' }).focus()
  const said = await collect(announcement(page, 'status'))
  await page.clock.fastForward('49:00')
  for (const name of ['Release 2.5.0', 'Release 2.6.0'])
    await expectDescription(questionOn(page, name), /^Closes in \d\d s$/)
  expect(await said()).toEqual(['Release 2.5.0: Closes in 1 min'])
  // Until the deadline, nothing more is said.
  await page.clock.fastForward(20_000)
  await expectDescription(questionOn(page), /^Closes in [1-3]?\d s$/)
  expect(await said()).toEqual(['Release 2.5.0: Closes in 1 min'])
})

test('outcomes that arrive together are all announced', async () => {
  const { id, card_id } = await askIn()
  const other = await api.push(id, [text('Release 2.6.0'), question({}, 'Go', 'Stop')])
  const { page } = await opened(id)
  for (const name of ['Release 2.5.0', 'Release 2.6.0']) await questionOn(page, name).waitFor()
  await goOffline(page)
  await decideElsewhere(id, card_id, 'approve')
  await decideElsewhere(id, other.id, 'go')
  await page.context().setOffline(false)
  const said = () => announcement(page, 'status').textContent()
  await expect.poll(said).toContain('Release 2.5.0: You chose Approve')
  await expect.poll(said).toContain('Release 2.6.0: You chose Go')
})

test('the outcome of a question that is not on the screen is not announced', async () => {
  const { id, card_id } = await askIn()
  await api.push(id, [text('A tall card\n'.repeat(12))])
  const { page } = await opened(id)
  await questionOn(page).waitFor()
  // The question is just below the window.
  const { y = 0 } = (await questionOn(page).boundingBox()) ?? {}
  await page.setViewportSize({ width: 1280, height: Math.floor(y) - 8 })
  await decideElsewhere(id, card_id, 'approve')
  await expectDescription(questionOn(page), /^You chose Approve/)
  expect(await announcement(page, 'status').textContent()).toBe('')
})
