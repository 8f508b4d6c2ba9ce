// Undo on the settings pages while other changes are made.
import { expect, test } from 'vitest'
import { actionsOf, labelsOf, listedLabels, openOrdered } from './support/header-actions.ts'
import { press } from './support/page.ts'
import { hold } from './support/requests.ts'
import { deleteRow, undo } from './support/settings.ts'
import { session, setStage } from './support/stage.ts'

setStage()

test('undo keeps an order made since the deletion', async () => {
  const { id, page } = await openOrdered()
  await deleteRow(page, 'action', 'Beta')
  await page.getByRole('button', { name: 'Move Gamma' }).press('Home')
  await expect.poll(() => labelsOf(id)).toEqual(['Gamma', 'Alpha'])
  await undo(page)
  await expect.poll(() => listedLabels(page)).toEqual(['Gamma', 'Alpha', 'Beta'])
  expect(await labelsOf(id)).toEqual(['Gamma', 'Alpha', 'Beta'])
})

test('undo from another page keeps an order made since the deletion', async () => {
  const { id, page } = await openOrdered()
  await deleteRow(page, 'action', 'Alpha')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  const [beta, gamma] = await actionsOf(id)
  await session('PUT', `/channels/${id}/actions/order`, { action_ids: [gamma?.id, beta?.id] })
  await undo(page)
  expect(await labelsOf(id)).toEqual(['Alpha', 'Gamma', 'Beta'])
})

test('a slow undo still reports its result', async () => {
  const { page } = await openOrdered()
  await page.clock.install()
  const { sent, release } = await hold(page, '**/actions/*', 'PUT')
  await press(page, 'Delete Beta')
  await press(page, 'Undo')
  await page.mouse.move(5, 5)
  await sent
  await page.clock.fastForward(14_000)
  release()
  await page.getByText('Undone', { exact: true }).waitFor()
})
