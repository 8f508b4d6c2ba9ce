// Questions on the channel's page: two people and one decision, presses that lose, and what stays after a reload.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { question } from './support/api.ts'
import {
  announcement,
  askIn,
  choose,
  expectDescription,
  notesOf,
  outcomeOf,
  questionOn,
  reopen,
  TITLE,
} from './support/decisions.ts'
import { goOffline, replyBox } from './support/interactions.ts'
import { boxOf, expectFocus } from './support/page.ts'
import { type Credentials, makeUser } from './support/session.ts'
import {
  api,
  createChannel,
  hooks,
  openAsGuest,
  opened,
  openedKeeping,
  server,
  session,
  setStage,
  signedIn,
} from './support/stage.ts'
import { card, linkStatus, openChannel } from './support/visit.ts'

setStage()
beforeAll(async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  sam = await makeUser(server, 'Sam')
})

let sam: Credentials

/** As another person, who acts by name. */
async function openedAsSam(channel: string): Promise<Page> {
  const { page } = await signedIn({}, sam)
  await openChannel(page, server, channel)
  await replyBox(page).focus()
  await page.getByRole('button', { name: 'Act as Sam' }).click()
  await page.getByText('Acting as Sam').filter({ visible: true }).waitFor()
  return page
}

/** The only note is gone, and stays so. */
async function dismissNote(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await notesOf(questionOn(page)).waitFor({ state: 'detached' })
  await page.reload()
  await linkStatus(page, 'live')
  expect(await notesOf(questionOn(page)).count()).toBe(0)
}

test('D2: two people see one decision: the one who chose, and the other with their name', async () => {
  const { id } = await askIn({}, hooks.at('/decided'))
  const { page: owner } = await opened(id)
  const other = await openedAsSam(id)
  for (const page of [owner, other]) await questionOn(page).waitFor()

  await choose(owner, 'Approve')
  await expectDescription(questionOn(owner), /^You chose Approve/)
  await expectDescription(questionOn(other), /^Owner chose Approve · just now/)
  await expect
    .poll(() => announcement(other, 'status').textContent())
    .toBe('Release 2.5.0: Owner chose Approve')
  expect(await questionOn(other).getByRole('button').count()).toBe(0)
  await questionOn(owner).getByText('Delivered').waitFor()
  expect((await hooks.hooks('/decided', 1))[0]?.trigger).toEqual({
    type: 'button_click',
    button_id: 'approve',
    label: 'Approve',
  })

  for (const page of [owner, other]) await page.reload()
  await expectDescription(questionOn(owner), /^You chose Approve/)
  await expectDescription(questionOn(other), /^Owner chose Approve/)
})

test('D1, D5: a phone that was offline loses the race, and the lost press stays until it is dismissed', async () => {
  const { id } = await askIn()
  const { page } = await openedKeeping(id)
  await questionOn(page).waitFor()
  await goOffline(page)
  await expectDescription(questionOn(page), 'You are offline, so this may have changed')
  await choose(page, 'Approve')
  const queued = 'Approve will be sent when you are online. Nothing is decided yet.'
  await notesOf(questionOn(page)).getByText(queued).waitFor()
  expect(await questionOn(page).getByRole('button', { name: 'Reject' }).getAttribute('aria-disabled')).toBe(
    'true',
  )

  const other = await openedAsSam(id)
  await choose(other, 'Reject')
  await expectDescription(questionOn(other), /^You chose Reject/)
  await page.context().setOffline(false)
  const lost = 'Sam had already chosen Reject. Your Approve did not count.'
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([lost])
  await expect.poll(() => announcement(page, 'alert').textContent()).toBe(lost)
  await expectDescription(questionOn(page), /^Sam chose Reject/)

  await page.reload()
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([lost])
  await dismissNote(page)
  await expectDescription(questionOn(page), /^Sam chose Reject/)
})

test('a lost press is at the foot of the channel if its card is gone, and blocks nothing behind it', async () => {
  const { id, card_id } = await askIn({}, hooks.at('/behind'))
  const { page } = await openedKeeping(id)
  await questionOn(page).waitFor()
  await goOffline(page)
  await choose(page, 'Approve')
  await page.getByRole('textbox', { name: 'Reply' }).fill('Behind it')
  await page.keyboard.press('Enter')
  const other = await openedAsSam(id)
  await choose(other, 'Reject')
  await expectDescription(questionOn(other), /^You chose Reject/)
  await page.route('**/interactions', route => route.continue())
  await page.context().setOffline(false)
  await notesOf(questionOn(page)).getByText('Sam had already chosen Reject').waitFor()
  await api.remove(id, card_id)
  const foot = page.getByRole('list', { name: 'Your interactions' })
  await foot.getByText('Sam had already chosen Reject. Your Approve did not count.').waitFor()
  expect((await hooks.hooks('/behind', 2)).map(({ trigger }) => trigger.label ?? trigger.text)).toEqual([
    'Reject',
    'Behind it',
  ])
  await page.reload()
  await foot.getByText('Sam had already chosen Reject. Your Approve did not count.').waitFor()
  await foot.getByRole('button', { name: 'Dismiss' }).click()
  await foot.waitFor({ state: 'detached' })
})

test('Take back removes a press that is not sent, and another choice can be made', async () => {
  const { id } = await askIn({}, hooks.at('/taken-back'))
  const { page } = await openedKeeping(id)
  await questionOn(page).waitFor()
  await goOffline(page)
  await choose(page, 'Approve')
  await page.getByRole('button', { name: 'Take back' }).click()
  await notesOf(questionOn(page)).waitFor({ state: 'detached' })
  await page.reload()
  await questionOn(page).waitFor()
  expect(await notesOf(questionOn(page)).count()).toBe(0)
  await choose(page, 'Reject')
  await notesOf(questionOn(page)).getByText('Reject will be sent').waitFor()
  await page.context().setOffline(false)
  await expectDescription(questionOn(page), /^You chose Reject/)
  expect((await hooks.hooks('/taken-back', 1)).map(({ trigger }) => trigger.label)).toEqual(['Reject'])
})

test('D4: a press on a question that was asked again does not answer the new one', async () => {
  const { id, card_id } = await askIn()
  const { page } = await openedKeeping(id)
  await questionOn(page).waitFor()
  await goOffline(page)
  await choose(page, 'Approve')
  const { page: other } = await opened(id)
  await choose(other, 'Reject')
  await expectDescription(questionOn(other), /^You chose Reject/)
  await reopen(id, card_id)
  await page.context().setOffline(false)
  const note = 'The question was asked again. Your Approve did not count.'
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([note])
  await choose(page, 'Reject')
  await expectDescription(questionOn(page), /^You chose Reject/)
  await expectDescription(questionOn(other), /^You chose Reject|^Owner chose Reject/)
  expect(await notesOf(questionOn(page)).allInnerTexts()).toEqual([note])
  await dismissNote(page)
})

test('a press counts only for the card as it was shown, if the question says so', async () => {
  const { id, card_id } = await askIn({ if_changed: 'refuse' })
  const { page } = await openedKeeping(id)
  await questionOn(page).waitFor()
  await goOffline(page)
  await choose(page, 'Approve')
  await api.patch(id, card_id, { status: 'warning' })
  await page.context().setOffline(false)
  const note = 'The card changed while you decided. Look again, then choose.'
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([note])
  await linkStatus(page, 'live')
  await choose(page, 'Approve')
  await expectDescription(questionOn(page), /^You chose Approve/)
  expect(await notesOf(questionOn(page)).count()).toBe(0)
})

test('D3: a question that closes says so, and a press that arrives later did not count', async () => {
  const { id, card_id } = await askIn({ expires_in: 300 })
  const { page } = await openedKeeping(id)
  await expectDescription(questionOn(page), /^Closes in \d min/)
  await goOffline(page)
  await choose(page, 'Approve')
  // Now, so that the press comes before the end on a slow machine too.
  await api.patch(id, card_id, { blocks: [{ id: 'buttons', patch: { decision: { expires_in: 1 } } }] })
  const { page: other } = await opened(id)
  const closed = /^Closed without a decision · \d{1,2}:\d\d/
  await expectDescription(questionOn(other), closed)
  await page.context().setOffline(false)
  await expectDescription(questionOn(page), closed)
  const late = 'This closed before your Approve arrived. It did not count.'
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([late])
  await dismissNote(page)
})

test('people who may not decide see who may; those without a session can sign in', async () => {
  const { id } = await askIn({ who: 'owner' })
  const { page: guest } = await openAsGuest(`/c/${id}`)
  const other = await openedAsSam(id)
  const { page: owner } = await opened(id)
  await expectDescription(questionOn(guest), 'Only the owner can decide')
  const link = questionOn(guest).getByRole('link', { name: 'Sign in to decide' })
  expect(await link.getAttribute('href')).toBe(`/sign-in?return=${encodeURIComponent(`/c/${id}`)}`)
  await expectDescription(questionOn(other), /^Only the owner can decide/)
  expect(await questionOn(other).getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  await expectDescription(questionOn(owner), 'Only the owner can decide You act as Owner')
  await choose(owner, 'Approve')
  await expectDescription(questionOn(other), /^Owner chose Approve/)
})

test('listed people may decide, also a question that is asked while they look', async () => {
  const { id } = await createChannel()
  const other = await openedAsSam(id)
  await api.push(id, [TITLE, question({ who: [sam.email] }, 'Approve', 'Reject')])
  await expectDescription(questionOn(other), 'Only chosen people can decide You act as Sam')
  await choose(other, 'Approve')
  await expectDescription(questionOn(other), /^You chose Approve/)
})

test('a comment goes with the choice, and everyone can read it', async () => {
  const card = question({ comment: 'optional' }, 'Approve', {
    id: 'reject',
    label: 'Reject',
    comment: 'required',
  })
  const { id } = await createChannel({}, TITLE, card)
  const { page } = await opened(id)
  const other = await openedAsSam(id)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await page.getByText('Everyone who sees this channel can read it', { exact: true }).waitFor()
  await choose(page, 'Reject')
  await expectFocus(comment)
  await page.getByText('Write a comment, then choose Reject again').waitFor()
  expect(await comment.getAttribute('aria-invalid')).toBe('true')
  await comment.fill('Not on a Friday')
  await comment.press('Enter')
  await page.reload()
  await expect.poll(() => comment.inputValue()).toBe('Not on a Friday\n')
  expect(await outcomeOf(questionOn(page)).count()).toBe(0)
  await comment.fill('Not on a Friday')
  await choose(page, 'Reject')
  await expectDescription(questionOn(page), /^You chose Reject/)
  await expectDescription(questionOn(other), /^Owner chose Reject/)
  for (const one of [page, other])
    await one.locator('.decision-remark').getByText('Not on a Friday').waitFor()
})

test('a delivered decision says so for ten seconds, and moves nothing; without a webhook nothing is said', async () => {
  const { id } = await askIn({}, hooks.at('/passing'))
  const { page } = await signedIn()
  await page.clock.install()
  await openChannel(page, server, id)
  await questionOn(page).getByRole('button', { name: 'Approve' }).press('Enter')
  await questionOn(page).getByText('delivered').waitFor()
  const height = async () => (await boxOf(card(page, 'Release 2.5.0'))).height
  const before = await height()
  await page.clock.fastForward(10_000)
  await expect.poll(() => questionOn(page).getByText('delivered').count()).toBe(0)
  expect(await height()).toBe(before)

  const { id: silent } = await askIn()
  // The page doesn't learn yet that there is no webhook.
  await page.route('**/delivery', () => {})
  await openChannel(page, server, silent)
  await Promise.all([page.waitForRequest('**/delivery'), choose(page, 'Approve')])
  await expectDescription(questionOn(page), /^You chose Approve/)
  expect(
    await questionOn(page)
      .getByText(/sent|deliver/i)
      .count(),
  ).toBe(0)
})
