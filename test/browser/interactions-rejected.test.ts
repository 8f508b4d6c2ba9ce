import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import {
  api,
  buttons,
  goOffline,
  hooks,
  isFocused,
  openedKeeping,
  reply,
  setStage,
  waiting,
} from './support/stage.ts'
import { interactionStatus, linkStatus } from './support/visit.ts'

setStage()

test('a rejected interaction stays visible until dismissed, and does not block the next ones', async () => {
  const { id } = await api.createChannel('Refused', hooks.at('/refused'))
  const pushed = await api.push(id, [text('Decide'), buttons('Approve')])
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await reply(page, 'Behind it')
  await waiting(page, '2 actions')
  await api.remove(id, pushed.id)
  await page.context().setOffline(false)
  await page.getByText('Approve: Not accepted: Card not found').first().waitFor()
  await hooks.hooks('/refused', 1)
  await page.reload()
  await linkStatus(page, 'live')
  const note = page.getByRole('listitem').filter({ hasText: 'Approve: Not accepted: Card not found' })
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await note.waitFor({ state: 'detached' })
  // The focus stays on the page.
  await expect.poll(() => page.getByRole('textbox', { name: 'Reply' }).evaluate(isFocused)).toBe(true)
  await page.reload()
  await linkStatus(page, 'live')
  await expect.poll(() => interactionStatus(page, 'refused').count()).toBe(0)
})

test('a busy server is asked again', async () => {
  const { id } = await api.createChannel('Busy', hooks.at('/busy'))
  await api.push(id, [buttons('Approve')])
  const { page } = await openedKeeping(id)
  let validationErrors = 0
  await page.route('**/interactions', route => {
    if (validationErrors++ < 2) return route.fulfill({ status: 429, json: { error: 'Too many requests' } })
    return route.continue()
  })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Waiting: the server is busy').first().waitFor()
  await interactionStatus(page, 'delivered').waitFor()
  expect(hooks.came('/busy').length).toBe(1)
})

test('a failed delivery shows why, and the owner can deliver again', async () => {
  const { id } = await api.createChannel('Failed', hooks.at('/failed'))
  await api.push(id, [buttons('Approve')])
  const { page } = await openedKeeping(id)
  hooks.behave(({ path }) => ({ kind: 'answer', status: path === '/failed' ? 503 : 204 }))
  await page.getByRole('button', { name: 'Approve' }).click()
  await interactionStatus(page, 'failed').getByText('Sent, but not delivered').waitFor()
  hooks.behave(() => ({ kind: 'answer' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await interactionStatus(page, 'delivered').waitFor()
  const [first, second] = await hooks.hooks('/failed', 2)
  expect(second).toEqual(first)
})

test('Edit puts a rejected reply back into the box, before the new text', async () => {
  const { id } = await api.createChannel('Take back', hooks.at('/back'))
  const { page } = await openedKeeping(id)
  const box = page.getByRole('textbox', { name: 'Reply' })
  const refusal = { status: 403, json: { error: 'Channel is not interactive' } }
  await page.route('**/interactions', route => route.fulfill(refusal))
  await reply(page, 'Word for word')
  await page.getByText('Not accepted: Channel is not interactive').first().waitFor()
  await box.fill('And the next')
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => box.inputValue()).toBe('Word for word\nAnd the next')
  await expect.poll(() => box.evaluate(isFocused)).toBe(true)
  await interactionStatus(page, 'refused').waitFor({ state: 'detached' })
})

test('a rejected reply stays visible in a channel without a reply box', async () => {
  const { id } = await api.createChannel('No box')
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await reply(page, 'Word for word')
  await waiting(page, '1 action')
  await api.deleteChannel(id)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'There is no such channel' }).waitFor()
  const note = page.getByRole('listitem').filter({ hasText: 'Word for word' })
  await note.getByText('Not accepted: Channel not found').waitFor()
  await expect.poll(() => note.getByRole('button').allTextContents()).toEqual(['Dismiss'])
})
