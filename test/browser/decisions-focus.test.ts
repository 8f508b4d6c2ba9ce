// Questions that end while a person is at them: the focus keeps a place, and nothing that was typed vanishes.
import { beforeAll, expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import {
  askIn,
  choose,
  decideElsewhere,
  expectDescription,
  notesOf,
  outcomeOf,
  questionOn,
  reopen,
  TITLE,
} from './support/decisions.ts'
import { expectFocus } from './support/page.ts'
import { api, createChannel, openAsGuest, opened, server, session, setStage } from './support/stage.ts'

setStage()
beforeAll(() => session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' }))

test('the focus stays on “Sign in to decide” when the question ends, and Tab goes to the receipt', async () => {
  const { id, card_id } = await askIn({ who: 'owner' })
  const { page } = await openAsGuest(`/c/${id}`)
  const link = questionOn(page).getByRole('link', { name: 'Sign in to decide' })
  await link.focus()
  await page.keyboard.press('Shift')
  await decideElsewhere(id, card_id, 'approve')
  await expectDescription(questionOn(page), 'Owner chose Approve')
  await expectFocus(link)
  await page.keyboard.press('Tab')
  await expectFocus(outcomeOf(questionOn(page)))
  expect(await link.count()).toBe(0)
})

async function openConfirming() {
  const approve = { id: 'approve', label: 'Approve', confirm: 'Release it to everyone?' }
  const { id, card_id } = await createChannel({}, TITLE, question({}, approve, 'Reject'))
  const { page } = await opened(id)
  return { id, card_id, page, dialog: page.getByRole('alertdialog') }
}

test('a question that ends behind its dialog gets the focus back, on the button that had it', async () => {
  const { id, card_id, page, dialog } = await openConfirming()
  const approve = questionOn(page).getByRole('button', { name: 'Approve' })
  await approve.focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await decideElsewhere(id, card_id, 'reject')
  await expectDescription(questionOn(page), 'You chose Reject')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(approve)
  expect(await approve.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Tab')
  await expectFocus(outcomeOf(questionOn(page)))
})

test('D5: a press that is confirmed after another person decided did not count; the receipt has the focus', async () => {
  const { id, card_id, page, dialog } = await openConfirming()
  await choose(page, 'Approve')
  await dialog.waitFor()
  await decideElsewhere(id, card_id, 'reject')
  await expectDescription(questionOn(page), 'You chose Reject')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  const lost = 'Owner had already chosen Reject. Your Approve did not count.'
  await expect.poll(() => notesOf(questionOn(page)).allInnerTexts()).toEqual([lost])
  await expectFocus(outcomeOf(questionOn(page)))
})

test('a comment that is being written stays when another person decides, until its field is left', async () => {
  const { id } = await createChannel({}, text('Release 2.4.0'), question({}, 'Go', 'Stop'))
  const asked = [TITLE, question({ comment: 'optional' }, 'Approve', 'Reject')]
  const { id: card_id } = await api.push(id, asked)
  const { page } = await opened(id)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('Not before the')
  // The person looks something up in another window.
  await comment.dispatchEvent('focusout')
  await decideElsewhere(id, card_id, 'approve')
  await expectDescription(questionOn(page), 'You chose Approve')
  expect(await comment.inputValue()).toBe('Not before the')
  expect(await comment.isEditable()).toBe(false)
  await expectFocus(comment)
  // The receipt is lower than the field: the question below moves, but not between pressing and letting go.
  await choose(page, 'Go')
  await expectDescription(questionOn(page, 'Release 2.4.0'), /^You chose Go/)
  await outcomeOf(questionOn(page)).waitFor()
  await reopen(id, card_id)
  await expect.poll(() => comment.inputValue()).toBe('')
})
