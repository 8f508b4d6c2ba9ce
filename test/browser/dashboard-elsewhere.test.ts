// Open settings while another tab or person changes the same things.
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { expectFocus, section } from './support/page.ts'
import {
  attributesOf,
  comeBack,
  nothingUnsaved,
  openSettings,
  saveBar,
  saved,
  unsaved,
} from './support/settings.ts'
import { api, open, server, session, setStage } from './support/stage.ts'

setStage()

test('a save keeps what was changed elsewhere in other fields', async () => {
  const { id, page } = await openSettings({ attributes: { team: 'one', region: 'eu' } })
  const general = section(page, 'General')
  await general.getByLabel('Name').fill('Renamed')
  await general.getByLabel('View only').check()
  await page.getByLabel('Value of team').fill('two')
  await section(page, 'Webhook').getByLabel('Webhook URL').fill('https://example.com/hook')
  await session('PATCH', `/channels/${id}`, { description: 'By another', icon: '🚀' })
  await session('PUT', `/channels/${id}/attributes`, { region: 'us' })
  // Enter saves as the bar does.
  await section(page, 'Webhook').getByLabel('Webhook URL').press('Enter')
  await saved(page)
  expect(await session('GET', `/channels/${id}`)).toMatchObject({
    name: 'Renamed',
    icon: '🚀',
    description: 'By another',
    mode: 'view',
    webhook_url: 'https://example.com/hook',
  })
  expect(await attributesOf(id)).toMatchObject({ team: 'two', region: 'us' })
  // The responses contain the changes made elsewhere.
  await expect.poll(() => general.getByLabel('Description').inputValue()).toBe('By another')
  await expect.poll(() => page.getByLabel('Value of region').inputValue()).toBe('us')
})

test('returning to channel settings loads changes and keeps unsaved edits', async () => {
  const { id, page } = await openSettings({ attributes: { team: 'one', region: 'eu' } })
  const general = section(page, 'General')
  await general.getByLabel('Description').fill('Half typed')
  await page.getByLabel('Value of team').fill('two, half typed')
  await session('PATCH', `/channels/${id}`, { name: 'Renamed', mode: 'view', description: 'By another' })
  await session('PUT', `/channels/${id}/attributes`, { region: 'us', stage: 'new' })
  await api.addAction(id, 'Made elsewhere', 'primary', 0)

  await comeBack(page)
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await expect.poll(() => general.getByLabel('Name').inputValue()).toBe('Renamed')
  await expect.poll(() => general.getByLabel('View only').isChecked()).toBe(true)
  await expect.poll(() => general.getByLabel('Description').inputValue()).toBe('Half typed')
  await page.getByLabel('Label of Made elsewhere').waitFor()
  await expect.poll(() => page.getByLabel('Value of region').inputValue()).toBe('us')
  await expect.poll(() => page.getByLabel('Value of stage').inputValue()).toBe('new')
  await expect.poll(() => page.getByLabel('Value of team').inputValue()).toBe('two, half typed')

  await saveBar(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => general.getByLabel('Description').inputValue()).toBe('By another')
  await nothingUnsaved(page)
})

test('returning to workspace settings loads changes, and reports a deleted workspace', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Elsewhere' })
  const { page } = await open(`/dashboard/workspaces/${id}`)
  const access = section(page, 'Visibility')
  await expect.poll(() => access.getByRole('radio', { name: 'Only you' }).isChecked()).toBe(true)
  await session('PATCH', `/workspaces/${id}`, { visibility: 'public', layout: 'grid' })
  await comeBack(page)
  await expect.poll(() => access.getByRole('radio', { name: 'Public' }).isChecked()).toBe(true)
  await expect.poll(() => page.getByRole('radio', { name: 'Grid' }).isChecked()).toBe(true)

  await access.getByRole('radio', { name: 'Only you' }).check()
  await unsaved(page, 'Visibility')
  const fields = { name: 'Renamed', visibility: 'protected', password: 'open sesame' }
  await session('PATCH', `/workspaces/${id}`, fields)
  await comeBack(page)
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await expect.poll(() => access.getByRole('radio', { name: 'Only you' }).isChecked()).toBe(true)
  await saveBar(page).getByRole('button', { name: 'Discard' }).click()
  await access.getByRole('radio', { name: 'Anyone with the password', checked: true }).waitFor()

  await session('DELETE', `/workspaces/${id}`)
  await comeBack(page)
  await page.getByText('This page was deleted, or you have no access to it.').waitFor()
})

test('returning to home or the keys loads changes and keeps the focus, but not under an open dialog', async () => {
  const known_id = (await api.createChannel('There before')).id
  const { key } = await session<{ key: string }>('POST', '/api-keys', { name: 'Used', scope: 'read' })
  const { page: home } = await open('/')
  const { page: keys } = await open('/dashboard/keys')
  const known = home.getByRole('button', { name: 'More about There before' })
  await known.focus()
  const revoke = keys.getByRole('button', { name: 'Revoke Used' })
  await revoke.focus()
  await api.push(known_id, [text('One')])
  await fetch(`${server.url}/api/v1/channels/${known_id}`, { headers: { Authorization: `Bearer ${key}` } })
  const { id } = await api.createChannel('Just made')
  await session('POST', '/api-keys', { name: 'Made elsewhere', scope: 'read' })
  await comeBack(home)
  await home.getByRole('button', { name: 'More about Just made' }).waitFor()
  await home.getByRole('row', { name: /There before.*1 card/ }).waitFor()
  // Known rows keep their elements, and so the focus.
  await expectFocus(known)
  const used = keys.getByRole('listitem').filter({ hasText: 'Used' }).first()
  await expect.poll(() => comeBack(keys).then(() => used.textContent())).not.toContain('Never used')
  await keys.getByText('Made elsewhere').waitFor()
  await expectFocus(revoke)

  await home.getByRole('button', { name: 'New channel in Demo' }).click()
  await home.getByRole('dialog').getByLabel('Name').fill('Half')
  await session('DELETE', `/channels/${id}`)
  const read = home.waitForResponse(/\/api\/channels\?/)
  await comeBack(home)
  await read
  await expect.poll(() => home.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Half')
})

test('the description says how many characters it has, also after it changed elsewhere', async () => {
  const { id, page } = await openSettings({ description: 'Four' })
  const part = section(page, 'General')
  await part.getByText('4 of 300 characters').waitFor()
  await session('PATCH', `/channels/${id}`, { description: 'Eleven long' })
  await comeBack(page)
  await part.getByText('11 of 300 characters').waitFor()
  await part.getByLabel('Description').fill('Go 🚀')
  await part.getByText('4 of 300 characters').waitFor()
  await saveBar(page).getByRole('button', { name: 'Discard' }).click()
  await part.getByText('11 of 300 characters').waitFor()
})
