// Questions for everyone: without a mouse, with a screen reader, on narrow pages and in languages written from the right.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import { findings, fits } from './support/axe.ts'
import {
  announcement,
  choose,
  expectDescription,
  notesOf,
  outcomeOf,
  questionOn,
} from './support/decisions.ts'
import { goOffline } from './support/interactions.ts'
import { expectFocus } from './support/page.ts'
import { makeGate } from './support/requests.ts'
import { api, createChannel, opened, openedKeeping, server, setStage } from './support/stage.ts'
import { openChannel } from './support/visit.ts'

setStage()

const TITLE = text('Release 2.5.0')
const CHOICES = ['Approve', { id: 'reject', label: 'Reject', style: 'danger' }] as const
const askIn = (decision: object = {}) => createChannel({}, TITLE, question(decision, ...CHOICES))

/** Decides a question over HTTP, as the page's person from another device. */
async function decideElsewhere(
  page: Page,
  channel: string,
  card_id: string,
  button_id: string,
): Promise<void> {
  const data = { card_id, trigger: { type: 'button_click', button_id } }
  const url = `${server.url}/api/channels/${channel}/interactions`
  await page.context().request.post(url, { data, headers: { Origin: server.url }, failOnStatusCode: true })
}

test('13: with the keyboard alone: the buttons stay until Tab, which goes to the receipt', async () => {
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

test('13: the buttons stay under the pointer when somebody else decides, and do nothing', async () => {
  const { id, card_id } = await askIn()
  const { page } = await opened(id)
  const reject = questionOn(page).getByRole('button', { name: 'Reject' })
  await reject.hover()
  await decideElsewhere(page, id, card_id, 'approve')
  await expectDescription(questionOn(page), 'Owner chose Approve')
  await expect
    .poll(() => announcement(page, 'status').textContent())
    .toBe('Release 2.5.0: Owner chose Approve')
  await reject.click({ force: true })
  await page.mouse.move(0, 0)
  await outcomeOf(questionOn(page)).waitFor()
  await expectFocus(outcomeOf(questionOn(page)))
  expect(await notesOf(questionOn(page)).count()).toBe(0)
})

test.each([
  ['left to right', 'ltr', 1280],
  ['at 320 px', 'ltr', 320],
  ['right to left', 'rtl', 320],
] as const)('13: axe finds no fault in any state, and nothing overflows: %s', async (_, dir, width) => {
  const { id, card_id } = await createChannel(
    {},
    TITLE,
    question(
      { comment: 'optional', who: 'owner', expires_in: 90_000 },
      ...CHOICES,
      'Hold for a while, and ask again',
    ),
  )
  const { page } = await openedKeeping(id)
  await page.setViewportSize({ width, height: 900 })
  const check = async () => {
    await page.evaluate(dir => document.documentElement.setAttribute('dir', dir), dir)
    expect(await findings(page)).toEqual([])
    expect(await fits(page)).toBe(true)
  }
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
  await decideElsewhere(page, id, card_id, 'reject')
  await page.unroute('**/interactions')
  await notesOf(questionOn(page)).getByText('had already chosen').waitFor()
  await check()
  await api.patch(id, card_id, {
    blocks: [{ id: 'buttons', patch: { decision: { reopen: true, expires_at: null } } }],
  })
  await questionOn(page).getByRole('button', { name: 'Approve' }).waitFor()
  await check()
  await choose(page, 'Approve')
  await page.mouse.move(0, 0)
  await expectDescription(questionOn(page), /^You chose Approve/)
  await check()
})

test('13: offline, the page says that it may be out of date', async () => {
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

test('13: a wrong clock does not change the countdown', async () => {
  const { id } = await askIn({ expires_in: 3_000 })
  const { page } = await opened(id)
  await page.clock.install({ time: Date.now() + 2 * 3_600_000 })
  await openChannel(page, server, id)
  await expectDescription(questionOn(page), /^Closes in (49|50) min/)
})
