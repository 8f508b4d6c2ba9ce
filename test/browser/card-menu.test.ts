// The menu of a card, and the ways from a channel to its workspace.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import { findings } from './support/axe.ts'
import { askIn, decideElsewhere, expectDescription, questionOn } from './support/decisions.ts'
import { expectFocus } from './support/page.ts'
import { addPerson } from './support/people.ts'
import { makeUser } from './support/session.ts'
import { api, createChannel, opened, openNew, server, session, setStage, signedIn } from './support/stage.ts'
import { card, openChannel, PHONE } from './support/visit.ts'

setStage()

async function openMenu(page: Page, words: string): Promise<void> {
  await card(page, words).focus()
  await card(page, words).getByRole('button', { name: 'More about this card' }).press('Enter')
}

test('the owner deletes a card from its menu, after a question that names it', async () => {
  const { id, page } = await openNew({}, text('Lower'))
  await api.push(id, [text('Old build failed')])
  await openMenu(page, 'Old build failed')
  await page.getByRole('button', { name: 'Delete card…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete this card?' })
  await dialog.getByText('Old build failed').waitFor()
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await openMenu(page, 'Old build failed')
  await page.getByRole('button', { name: 'Delete card…' }).click()
  await dialog.getByRole('button', { name: 'Delete card' }).click()
  await card(page, 'Old build failed').waitFor({ state: 'detached' })
  await expectFocus(card(page, 'Lower'))
})

const CLOSE = 'Close the question'

test('owner and editors close a waiting question from the menu of its card, after a confirmation', async () => {
  const { id, card_id } = await askIn()
  const { page } = await opened(id)
  await openMenu(page, 'Release 2.5.0')
  await page.getByRole('button', { name: CLOSE }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Close this question?' })
  await dialog.getByText('Release 2.5.0').waitFor()
  expect(await findings(page)).toEqual([])
  await expectFocus(dialog.getByRole('button', { name: 'Cancel' }))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(card(page, 'Release 2.5.0').getByRole('button', { name: 'More about this card' }))
  await questionOn(page).getByRole('button', { name: 'Approve' }).waitFor()

  const editor = await (await addPerson(server.workspace_id, 'editor')).visit()
  await openChannel(editor.page, server, id)
  await openMenu(editor.page, 'Release 2.5.0')
  await editor.page.getByRole('button', { name: CLOSE }).press('Enter')
  await editor.page.getByRole('alertdialog').getByRole('button', { name: CLOSE }).click()
  for (const one of [page, editor.page]) await expectDescription(questionOn(one), /^No longer needed/)
  const path = `/channels/${id}/cards/${card_id}/decision`
  expect(await session('GET', path)).toMatchObject({ state: 'cancelled', reason: 'withdrawn' })
  await openMenu(page, 'Release 2.5.0')
  await page.getByRole('button', { name: 'Delete card…' }).waitFor()
  expect(await page.getByRole('button', { name: CLOSE }).count()).toBe(0)
})

test('of two waiting questions on a card, the menu closes the one that it names', async () => {
  const { id } = await createChannel(
    {},
    text('Database', 'first'),
    { ...question({}, 'Migrate', 'Wait'), id: 'one' },
    text('Website', 'second'),
    { ...question({}, 'Deploy', 'Hold'), id: 'two' },
  )
  const { page } = await opened(id)
  await openMenu(page, 'Database')
  await page.getByRole('button', { name: `${CLOSE}: Database` }).waitFor()
  await page.getByRole('button', { name: `${CLOSE}: Website` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: CLOSE }).click()
  await expectDescription(questionOn(page, 'Website'), /^No longer needed/)
  await questionOn(page, 'Database').getByRole('button', { name: 'Migrate' }).waitFor()
})

test('a question that was decided meanwhile stays decided, and a toast says why it did not close', async () => {
  const { id, card_id } = await askIn()
  const { page } = await opened(id)
  await openMenu(page, 'Release 2.5.0')
  await page.getByRole('button', { name: CLOSE }).click()
  await decideElsewhere(id, card_id, 'approve')
  await page.getByRole('alertdialog').getByRole('button', { name: CLOSE }).click()
  await page.getByText('Question not closed: Someone had already chosen').waitFor()
  await expectDescription(questionOn(page), /^You chose Approve/)
})

test('a card that could not be deleted stays, and a toast says why', async () => {
  const { page } = await openNew({}, text('Stays'))
  await page.route('**/cards/*', route => route.abort())
  await openMenu(page, 'Stays')
  await page.getByRole('button', { name: 'Delete card…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete card' }).click()
  await page.getByText(/^Card not deleted: /).waitFor()
  await card(page, 'Stays').waitFor()
})

test('the owner changes a card in the builder', async () => {
  const { page } = await openNew({}, text('Change me'))
  await openMenu(page, 'Change me')
  await page.getByRole('link', { name: 'Change in the builder' }).click()
  await page.getByRole('button', { name: 'Send the change' }).waitFor()
  await expect.poll(() => page.getByText('Change me').count()).toBeGreaterThan(0)
})

test('members are not offered to close a question', async () => {
  const { id } = await askIn()
  const { page } = await (await addPerson(server.workspace_id, 'member')).visit()
  await openChannel(page, server, id)
  await openMenu(page, 'Release 2.5.0')
  await page.getByRole('button', { name: 'Copy text' }).waitFor()
  expect(await page.getByRole('button', { name: CLOSE }).count()).toBe(0)
})

test('people who do not run the channel can only copy from the menu of a card', async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  const { id } = await createChannel({}, text('Public'), question({}, 'Approve'))
  const { page } = await signedIn({}, await makeUser(server))
  await openChannel(page, server, id)
  await openMenu(page, 'Public')
  await page.getByRole('button', { name: 'Copy text' }).waitFor()
  expect(await page.getByRole('button', { name: 'Delete card…' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Change in the builder' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: CLOSE }).count()).toBe(0)

  await page.keyboard.press('Escape')
  await page.getByRole('banner').getByRole('link', { name: 'Demo', exact: true }).click()
  await page.waitForURL(/\/w\//)
})

test('on a phone the menu of a channel leads to its workspace, and that of a card tells when it was changed', async () => {
  const { id, card_id } = await createChannel({}, text('Before'))
  await api.patch(id, card_id, { blocks: [{ id: 'text', patch: { content: 'After' } }] })
  const { page } = await opened(id, PHONE)
  await card(page, 'After').getByRole('button', { name: 'More about this card' }).click()
  await page.getByText(/^edited .*\d:\d\d:\d\d/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Channel menu' }).click()
  await page.getByRole('link', { name: 'Open workspace' }).click()
  await page.waitForURL(/\/w\//)
})

test('on a touched screen the next touch ends a notification', async () => {
  const { id } = await createChannel({}, text('Copied'))
  const { page } = await opened(id, PHONE)
  await card(page, 'Copied').getByRole('button', { name: 'More about this card' }).tap()
  await page.getByRole('button', { name: 'Copy text' }).tap()
  const toast = page.getByText(/^Text (not )?copied/)
  await toast.waitFor()
  await card(page, 'Copied').locator('.text').tap()
  await toast.waitFor({ state: 'detached', timeout: 3_000 })
})
