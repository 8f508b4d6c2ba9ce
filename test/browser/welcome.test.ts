// What visitors see before they have an account: the welcome page, and the page that asks for a password.
import { expect, test } from 'vitest'
import { findings } from './support/axe.ts'
import { api, openAsGuest, server, session, setStage } from './support/stage.ts'
import { card, PHONE } from './support/visit.ts'

setStage()

test('the sample question can be decided, and shows its receipt', async () => {
  const { page } = await openAsGuest('/')
  const sample = card(page, 'Release 2.5.0')
  await sample.getByText('Needs you').waitFor()
  await sample.getByRole('button', { name: 'Approve' }).press('Enter')
  await sample.getByText('You chose Approve').first().waitFor()
  await sample.getByText('Needs you').waitFor({ state: 'detached' })
  expect(await findings(page)).toEqual([])
})

test('no line of the sample ends between a number and its unit', async () => {
  const { page } = await openAsGuest('/', PHONE)
  await card(page, 'Disk of db-3').waitFor()
  const texts = await page.locator('.welcome-sample article').allTextContents()
  expect(texts.filter(text => /\d (%|min|parts|skipped)/.test(text))).toEqual([])
})

test('the page that asks for a password names the server, and leads owners to sign in', async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, {
    visibility: 'protected',
    password: 'a long password',
  })
  const { id } = await api.createChannel('Locked')
  const { page } = await openAsGuest(`/c/${id}`)
  await page.getByText(new URL(server.url).host).waitFor()
  expect(await findings(page)).toEqual([])
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL(`${server.url}/sign-in?return=*`)
})
