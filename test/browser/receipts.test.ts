// Receipts on the page: everyone sees who pressed a button or a header action.
import { beforeAll, expect, test } from 'vitest'
import { buttons, text } from './support/api.ts'
import { findings } from './support/axe.ts'
import { doneButton, replyBox } from './support/interactions.ts'
import { enterSignUp, press } from './support/page.ts'
import { api, createChannel, open, openAsGuest, opened, server, session, setStage } from './support/stage.ts'
import { card, interactionStatus } from './support/visit.ts'

setStage()
beforeAll(() => session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' }))

test('a press of a button and of a header action shows to everyone who it was, and to its person “You”', async () => {
  const fields = { receipts: 'on' }
  const { id } = await createChannel(fields, text('Payments'), buttons('Acknowledge', 'Silence'))
  await api.addAction(id, 'Freeze', 'secondary', 0)
  const { page } = await opened(id)
  const { page: guest } = await openAsGuest(`/c/${id}`)
  await press(page, 'Acknowledge')
  const receipts = card(page, 'Payments').locator('.receipts')
  await receipts.getByText('You pressed Acknowledge').waitFor()
  await card(guest, 'Payments').locator('.receipts').getByText('Owner pressed Acknowledge').waitFor()
  await press(guest, 'Silence')
  await receipts.getByText('Someone pressed Silence').waitFor()
  const earlier = page.getByRole('button', { name: '1 earlier press' })
  await receipts.locator('.receipt', { has: earlier }).getByText('Someone pressed Silence').waitFor()
  await earlier.click()
  await receipts.getByText('You pressed Acknowledge').waitFor()
  expect(await findings(page)).toEqual([])

  await press(page, 'Freeze')
  await guest.locator('.channel-head .receipts').getByText('Owner pressed Freeze').waitFor()
  await guest.reload()
  await guest.locator('.channel-head .receipts').getByText('Owner pressed Freeze').waitFor()
  await card(guest, 'Payments').locator('.receipts').getByText('You pressed Silence').waitFor()

  await api.patchChannel(id, { receipts: 'off' })
  await receipts.waitFor({ state: 'detached' })
})

test('a press with a receipt marks its button, and its status does not repeat the receipt', async () => {
  const { id } = await createChannel({ receipts: 'on' }, text('Payments'), buttons('Acknowledge', 'Silence'))
  const { page } = await opened(id)
  await press(page, 'Acknowledge')
  await card(page, 'Payments').locator('.receipts').getByText('You pressed Acknowledge').waitFor()
  await doneButton(page, 'Acknowledge').waitFor()
  await expect.poll(() => page.locator('[data-interaction]').count()).toBe(0)

  await api.patchChannel(id, { receipts: 'off' })
  await page.locator('.receipts').waitFor({ state: 'detached' })
  await interactionStatus(page, 'sent').getByText('Acknowledge: sent').waitFor()
})

test('receipts look the same after a visit to the dashboard', async () => {
  const { id } = await api.createChannel('From the dashboard', { receipts: 'on' })
  await api.push(id, [buttons('Acknowledge', 'Silence')])
  const { page } = await open('/dashboard/keys')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('From the dashboard')
  await page.getByRole('option', { name: 'From the dashboard' }).first().click()
  await press(page, 'Acknowledge')
  await press(page, 'Silence')
  const earlier = page.getByRole('button', { name: '1 earlier press' })
  await expect
    .poll(() => earlier.evaluate(one => [getComputedStyle(one).position, getComputedStyle(one).fontSize]))
    .toEqual(['relative', '12px'])
})

test('people who pressed the same button one after another stand in one line', async () => {
  const { id } = await createChannel({ receipts: 'on' }, text('Payments'), buttons('Acknowledge', 'Silence'))
  const { page } = await opened(id)
  const { page: other } = await openAsGuest(`/sign-up?return=/c/${id}`)
  await enterSignUp(other, 'ann@example.com')
  await replyBox(other).focus()
  await other.getByRole('button', { name: 'Act as Ann' }).click()
  await press(page, 'Acknowledge')
  await card(page, 'Payments').locator('.receipts').getByText('You pressed Acknowledge').waitFor()
  await press(other, 'Acknowledge')
  await card(page, 'Payments').locator('.receipts').getByText('You and Ann pressed Acknowledge').waitFor()
  await card(other, 'Payments').locator('.receipts').getByText('You and Owner pressed Acknowledge').waitFor()
  await expect.poll(() => page.getByText('earlier press').count()).toBe(0)
})
