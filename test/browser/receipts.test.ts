// Receipts on the page: everyone sees who pressed a button or a header action.
import { beforeAll, expect, test } from 'vitest'
import { buttons, text } from './support/api.ts'
import { findings } from './support/axe.ts'
import { press } from './support/page.ts'
import { api, createChannel, openAsGuest, opened, server, session, setStage } from './support/stage.ts'
import { card } from './support/visit.ts'

setStage()
beforeAll(() => session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' }))

test('10: a press of a button and of a header action shows to everyone who it was, and to its person “You”', async () => {
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
  await receipts.getByText('1 earlier press').click()
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
