import { expect, test } from 'vitest'
import { buttons, text } from './support/api.ts'
import { delivered, doneButton, goOffline, reply, replyBox, waiting } from './support/interactions.ts'
import { expectFocus, press } from './support/page.ts'
import { failWith } from './support/requests.ts'
import { api, hooks, openNewKeeping, session, setStage } from './support/stage.ts'
import { interactionStatus, linkStatus } from './support/visit.ts'

setStage()

test('a rejected interaction stays visible until dismissed, and does not block the next ones', async () => {
  const { id, card_id, page } = await openNewKeeping(
    hooks.at('/rejected'),
    text('Decide'),
    buttons('Approve'),
  )
  await goOffline(page)
  await press(page, 'Approve')
  await reply(page, 'Behind it')
  await waiting(page, '2 interactions')
  await api.remove(id, card_id)
  await page.context().setOffline(false)
  await page.getByText('Approve: This card was deleted').first().waitFor()
  await hooks.hooks('/rejected', 1)
  await page.reload()
  await linkStatus(page, 'live')
  const note = page.getByRole('listitem').filter({ hasText: 'Approve: This card was deleted' })
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await note.waitFor({ state: 'detached' })
  // The focus stays on the page.
  await expectFocus(replyBox(page))
  await page.reload()
  await linkStatus(page, 'live')
  await expect.poll(() => interactionStatus(page, 'refused').count()).toBe(0)
})

test('a click that is confirmed after the channel became view-only says so', async () => {
  const approve = { id: 'approve', label: 'Approve', confirm: 'Delete all 12 servers?' }
  const { id, page } = await openNewKeeping({}, buttons(approve))
  await press(page, 'Approve')
  const dialog = page.getByRole('alertdialog')
  await dialog.waitFor()
  await api.patchChannel(id, { mode: 'view' })
  await replyBox(page).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await interactionStatus(page, 'refused').getByText('This channel is view only now').waitFor()
})

test('interactions that version 0.2 stored are shown, and new ones are sent', async () => {
  const { id, page } = await openNewKeeping(hooks.at('/stored-before'), buttons('Approve'))
  await page.evaluate(async channel_id => {
    const stored = (label: string, progress: object) => ({
      interaction_id: crypto.randomUUID(),
      channel_id,
      card_id: null,
      type: 'reply',
      place: 'reply',
      label,
      acted_at: new Date().toISOString(),
      body: null,
      secret: false,
      progress,
    })
    const opening = indexedDB.open('channel-feed-acts')
    await new Promise(resolve => opening.addEventListener('success', resolve))
    const writing = opening.result.transaction('acts', 'readwrite')
    const acts = writing.objectStore('acts')
    acts.put(stored('First', { state: 'refused', reason: 'text is required' }), 0)
    acts.put(stored('Second', { state: 'failed', reason: 'status 500' }), 1)
    await new Promise(resolve => writing.addEventListener('complete', resolve))
    opening.result.close()
  }, id)
  await page.reload()
  await interactionStatus(page, 'refused').getByText('Not accepted').waitFor()
  await interactionStatus(page, 'failed').getByText('the webhook answered 500').waitFor()
  await press(page, 'Approve')
  await hooks.hooks('/stored-before', 1)
})

test('a failed delivery shows why, and the owner can deliver again', async () => {
  const { page } = await openNewKeeping(hooks.at('/failed'), buttons('Approve'))
  hooks.behave(({ path }) => ({ kind: 'answer', status: path === '/failed' ? 503 : 204 }))
  await press(page, 'Approve')
  await interactionStatus(page, 'failed').getByText('Sent, but not delivered').waitFor()
  hooks.behave(() => ({ kind: 'answer' }))
  await press(page, 'Send again')
  await delivered(page)
  const [first, second] = await hooks.hooks('/failed', 2)
  expect(second).toEqual(first)
})

test('Edit puts a rejected reply back into the box, before the new text', async () => {
  const { page } = await openNewKeeping(hooks.at('/back'))
  const box = replyBox(page)
  await page.route('**/interactions', failWith('channel_not_interactive'))
  await reply(page, 'Word for word')
  await page.getByText('This channel is view only now').first().waitFor()
  await box.fill('And the next')
  await press(page, 'Edit')
  await expect.poll(() => box.inputValue()).toBe('Word for word\nAnd the next')
  await expectFocus(box)
  await interactionStatus(page, 'refused').waitFor({ state: 'detached' })
})

test('a rejected reply stays visible in a channel without a reply box', async () => {
  const { id, page } = await openNewKeeping()
  await goOffline(page)
  await reply(page, 'Word for word')
  await waiting(page, '1 interaction')
  await api.deleteChannel(id)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Channel not found' }).waitFor()
  const note = page.getByRole('listitem').filter({ hasText: 'Word for word' })
  await note.getByText('This channel was deleted').waitFor()
  await expect.poll(() => note.getByRole('button').allTextContents()).toEqual(['Dismiss'])
})

test('a note follows a delivery that the owner sends again from elsewhere', async () => {
  const { id, page } = await openNewKeeping(hooks.at('/later'), buttons('Restart worker'))
  hooks.behave(({ path }) => ({ kind: 'answer', status: path === '/later' ? 500 : 204 }))
  await press(page, 'Restart worker')
  await interactionStatus(page, 'failed').getByText('the webhook answered 500').waitFor()
  await page.getByRole('link', { name: 'Open log' }).waitFor()
  hooks.behave(() => ({ kind: 'answer' }))
  const [hook] = hooks.came('/later')
  await session('POST', `/channels/${id}/interactions/${hook?.interaction_id}/redeliver`, {})
  await hooks.hooks('/later', 2)
  await doneButton(page, 'Restart worker').waitFor()
  await interactionStatus(page, 'failed').waitFor({ state: 'hidden' })
})
