// What a person does on the dashboard while a request is under way, or after somebody else has done it already.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { HeaderAction } from '../../shared/header-action.ts'
import { api, open, server, session, stageDashboard } from './support/dashboard-stage.ts'
import { section } from './support/page.ts'

stageDashboard({ WORKSPACE_LIMIT: '0' })

const settingsOf = (id: string) => `/dashboard/channels/${id}`
const focused = (page: Page) => page.locator(':focus')

type Held = { asked: Promise<void>; letGo: () => void }

/** Requests of this kind reach the server, and their answers wait until they are let go. */
async function hold(page: Page, url: string | RegExp, method: string): Promise<Held> {
  let letGo = () => {}
  let tell = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  const asked = new Promise<void>(resolve => {
    tell = resolve
  })
  await page.route(url, async route => {
    if (route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    tell()
    await held
    await route.fulfill({ response })
  })
  return { asked, letGo }
}

async function withActions(): Promise<{ id: string; page: Page; faults: string[] }> {
  const { id } = await api.createChannel('Ordered')
  for (const [position, label] of ['Alpha', 'Beta', 'Gamma'].entries())
    await api.addAction(id, label, 'secondary', position)
  return { id, ...(await open(settingsOf(id))) }
}

const shown = (page: Page) => section(page, 'Header actions').locator('.swatch').allTextContents()
const labelsOf = async (id: string) => {
  const actions = await session<HeaderAction[]>('GET', `/channels/${id}/actions`)
  return actions.map(({ label }) => label)
}

test('what is typed while a part is being saved stays, and is not saved yet', async () => {
  const { id } = await api.createChannel('Slow')
  const { page, faults } = await open(settingsOf(id))
  const general = section(page, 'General')
  const { asked, letGo } = await hold(page, `**/api/channels/${id}`, 'PATCH')
  await general.getByLabel('Name').fill('  Sent  ')
  await general.getByLabel('Mode').selectOption('view')
  await general.getByRole('button', { name: 'Save' }).click()
  await asked
  await general.getByLabel('Description').fill('Typed meanwhile')
  letGo()
  await expect.poll(() => general.getByLabel('Name').inputValue()).toBe('Sent')
  await expect.poll(() => general.getByLabel('Description').inputValue()).toBe('Typed meanwhile')
  await general.getByText('Not saved yet').waitFor()
  await general.getByRole('button', { name: 'Save' }).click()
  await general.getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => general.getByText('Not saved yet').count()).toBe(0)
  expect(await session('GET', `/channels/${id}`)).toMatchObject({
    name: 'Sent',
    description: 'Typed meanwhile',
    mode: 'view',
  })
  expect(faults).toEqual([])
})

test('what is begun elsewhere while an action is being added keeps the focus, and the next one its words', async () => {
  const { id } = await api.createChannel('Adding')
  const { page } = await open(settingsOf(id))
  const actions = section(page, 'Header actions')
  const { asked, letGo } = await hold(page, '**/actions', 'POST')
  await actions.getByLabel('Label').fill('First')
  await actions.getByLabel('Label').press('Enter')
  await asked
  await actions.getByLabel('Label').fill('Second, half')
  await section(page, 'General').getByLabel('Description').focus()
  letGo()
  await expect.poll(() => shown(page)).toEqual(['First'])
  await expect.poll(() => focused(page).getAttribute('name')).toBe('description')
  await expect.poll(() => actions.getByLabel('Label').inputValue()).toBe('Second, half')
})

test('a refusal does not take the focus from what is begun elsewhere', async () => {
  const { id } = await api.createChannel('Refusing')
  const { page } = await open(settingsOf(id))
  let refuse = () => {}
  const held = new Promise<void>(resolve => {
    refuse = resolve
  })
  await page.route(`**/api/channels/${id}`, async route => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    await held
    await route.fulfill({ status: 400, json: { error: 'webhook_url must be a valid HTTP or HTTPS URL' } })
  })
  const webhook = section(page, 'Webhook')
  await webhook.getByLabel('Webhook URL').fill('https://example.com')
  await webhook.getByLabel('Webhook URL').press('Enter')
  await section(page, 'General').getByLabel('Description').focus()
  refuse()
  await webhook.getByText('Webhook URL must be').waitFor()
  await expect.poll(() => focused(page).getAttribute('name')).toBe('description')
})

test('an action that is added while another change is under way stays', async () => {
  const { id, page } = await withActions()
  const { asked, letGo } = await hold(page, '**/actions/*', 'PATCH')
  await page.getByRole('button', { name: 'Edit Alpha' }).click()
  const row = section(page, 'Header actions').getByRole('listitem').first()
  await row.getByLabel('Label').fill('Better')
  await row.getByLabel('Label').press('Enter')
  await asked
  const form = section(page, 'Header actions').locator('form').last()
  await form.getByLabel('Label').fill('Delta')
  await form.getByLabel('Label').press('Enter')
  await form.getByText('Adding…').waitFor()
  // The server answers others meanwhile.
  for (let i = 0; i < 5; i++) await labelsOf(id)
  letGo()
  await expect.poll(() => labelsOf(id)).toEqual(['Better', 'Beta', 'Gamma', 'Delta'])
  await expect.poll(() => form.getByLabel('Label').inputValue()).toBe('')
  await form.getByRole('button', { name: 'Add action' }).waitFor()
  await expect.poll(() => shown(page)).toEqual(['Better', 'Beta', 'Gamma', 'Delta'])
})

test('an attribute that is added while another is being written stays', async () => {
  const { id } = await api.createChannel('Both', { attributes: { team: 'one' } })
  const { page } = await open(settingsOf(id))
  const part = section(page, 'Attributes')
  const held: (() => void)[] = []
  await page.route('**/attributes', async route => {
    if (route.request().method() !== 'PUT') return route.fallback()
    const response = await route.fetch()
    if (held.length === 0) await new Promise<void>(resolve => held.push(resolve))
    await route.fulfill({ response })
  })
  await part.getByLabel('Value of team').fill('two')
  await part.getByLabel('Value of team').press('Enter')
  await expect.poll(() => held.length).toBe(1)
  await part.getByLabel('Key').fill('stage')
  await part.getByLabel('Value', { exact: true }).fill('new')
  await part.getByRole('button', { name: 'Add attribute' }).click()
  for (const letGo of held) letGo()
  await expect.poll(() => part.getByLabel('Key').inputValue()).toBe('')
  await part.getByLabel('Value of stage').waitFor()
  await expect.poll(() => part.getByLabel('Value of team').inputValue()).toBe('two')
  await expect.poll(() => part.getByLabel('Value of stage').count()).toBe(1)
})

test('bringing back an action leaves the order that was made since', async () => {
  const { id, page } = await withActions()
  await page.getByRole('button', { name: 'Delete Beta' }).click()
  await page.getByText('Deleted the action “Beta”').waitFor()
  await page.getByRole('button', { name: 'Move Gamma' }).press('Home')
  await expect.poll(() => labelsOf(id)).toEqual(['Gamma', 'Alpha'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  await expect.poll(() => shown(page)).toEqual(['Gamma', 'Alpha', 'Beta'])
  expect(await labelsOf(id)).toEqual(['Gamma', 'Alpha', 'Beta'])
})

test('bringing back an action from another page leaves the order that was made since', async () => {
  const { id, page } = await withActions()
  await page.getByRole('button', { name: 'Delete Alpha' }).click()
  await page.getByText('Deleted the action “Alpha”').waitFor()
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  const [beta, gamma] = await session<HeaderAction[]>('GET', `/channels/${id}/actions`)
  await session('PUT', `/channels/${id}/actions/order`, { action_ids: [gamma?.id, beta?.id] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  expect(await labelsOf(id)).toEqual(['Alpha', 'Gamma', 'Beta'])
})

test('what was deleted elsewhere already is gone, without a complaint', async () => {
  const { id, page } = await withActions()
  await page.getByRole('button', { name: 'Delete Beta' }).waitFor()
  const [, beta] = await session<HeaderAction[]>('GET', `/channels/${id}/actions`)
  await session('DELETE', `/channels/${id}/actions/${beta?.id}`)
  await page.getByRole('button', { name: 'Delete Beta' }).click()
  await page.getByText('Deleted the action “Beta”').waitFor()
  await expect.poll(() => shown(page)).toEqual(['Alpha', 'Gamma'])
  await expect.poll(() => section(page, 'Header actions').getByText('not found').count()).toBe(0)
})

test('an attribute that is emptied is removed once, and the focus goes on to where it was sent', async () => {
  const attributes = { region: 'eu', stage: 'test', team: 'payments' }
  const { id } = await api.createChannel('Emptied', { attributes })
  const { page } = await open(settingsOf(id))
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  await page.getByLabel('Value of stage').fill('')
  await page.getByLabel('Value of stage').press('Enter')
  await page.getByText('Removed the attribute “stage”').first().waitFor()
  expect(sent).toEqual(['{"stage":""}'])
  await expect.poll(() => page.getByText('Removed the attribute').count()).toBe(1)

  await page.getByLabel('Value of region').fill('')
  await page.getByLabel('Value of team').click()
  await page.getByText('Removed the attribute “region”').waitFor()
  await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Value of team')
})

test('an attribute of several lines is left as it is by who only goes through its field', async () => {
  const { id } = await api.createChannel('Lines', { attributes: { note: 'one\ntwo', team: 'payments' } })
  const { page } = await open(settingsOf(id))
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  await page.getByLabel('Value of note').focus()
  await page.keyboard.press('Tab')
  await page.getByLabel('Value of team').fill('platform')
  await page.getByLabel('Value of team').press('Enter')
  await expect.poll(() => sent).toContain('{"team":"platform"}')
  expect(sent).toEqual(['{"team":"platform"}'])
  expect(await session('GET', `/channels/${id}/attributes`)).toMatchObject({ note: 'one\ntwo' })
})

test('a description with the line ends of another system is no edit', async () => {
  const { id } = await api.createChannel('Windows', { description: 'one\r\ntwo' })
  const { page } = await open(settingsOf(id))
  const general = section(page, 'General')
  await general.getByLabel('Name').fill('Windows 2')
  await general.getByRole('button', { name: 'Discard' }).click()
  await general.getByText('Not saved yet').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await page.getByText('Nothing has happened yet').waitFor()
})

test('adding an attribute that is there already does not write over it', async () => {
  const { id } = await api.createChannel('There', { attributes: { team: 'payments' } })
  const { page } = await open(settingsOf(id))
  const part = section(page, 'Attributes')
  await part.getByLabel('Key').fill('Team')
  await part.getByLabel('Value', { exact: true }).fill('other')
  await part.getByRole('button', { name: 'Add attribute' }).click()
  await part.getByRole('alert').getByText('Key').waitFor()
  expect(await session('GET', `/channels/${id}/attributes`)).toMatchObject({ team: 'payments' })
})

test('an undo that takes long says how it ended, wherever the pointer is', async () => {
  const { page } = await withActions()
  await page.clock.install()
  const { asked, letGo } = await hold(page, '**/actions/*', 'PUT')
  await page.getByRole('button', { name: 'Delete Beta' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.mouse.move(5, 5)
  await asked
  await page.clock.fastForward(14_000)
  letGo()
  await page.getByText('Undone', { exact: true }).waitFor()
})

test('a channel whose answer is lost is made once', async () => {
  const { page } = await open('/')
  await page.getByRole('button', { name: 'New channel in' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Made once')
  await page.route('**/api/channels', async route => {
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await dialog.getByText('cannot be reached').waitFor()
  await page.unroute('**/api/channels')
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await page.waitForURL('**/dashboard/channels/*')
  const channels = await session<{ name: string }[]>('GET', `/channels?workspace_id=${server.workspace_id}`)
  expect(channels.filter(({ name }) => name === 'Made once')).toHaveLength(1)
})

test('a change after the session has ended says so in words', async () => {
  const { page } = await withActions()
  await page.getByRole('button', { name: 'Move Alpha' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Move Alpha' }).press('End')
  await section(page, 'Header actions').getByRole('alert').getByText('Your session has ended').waitFor()
  await expect.poll(() => shown(page)).toEqual(['Alpha', 'Beta', 'Gamma'])
})

test('an answer that is cut off, or none of ours, is told as a failure', async () => {
  const { id } = await api.createChannel('Cut')
  const { page, faults } = await open('/')
  await page.getByRole('heading', { name: 'Channels' }).waitFor()
  await page.route(`**/api/channels/${id}`, route =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Sign in to this hotel' }),
  )
  await page.goto(server.url + settingsOf(id))
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
  await page.unroute(`**/api/channels/${id}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Cut', exact: true }).waitFor()
  expect(faults).toEqual([])
})

test('what is named with signs that nobody can type can be deleted', async () => {
  // As macOS writes it, with a space that does not break, and one that is not seen.
  const name = 'Cafe\u0301\u00a0Zürich\u200b'.normalize('NFD')
  const { id } = await api.createChannel(name)
  const { page } = await open(settingsOf(id))
  await page.getByRole('button', { name: 'Delete channel' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox').fill('Café Zuric')
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete channel' }).isEnabled()).toBe(false)
  await dialog.getByRole('textbox').fill('Café Zürich')
  await dialog.getByRole('button', { name: 'Delete channel' }).click({ timeout: 5_000 })
  await page.getByText('Deleted the channel').waitFor()
})

test('editing one action leaves what is half typed in another', async () => {
  const { page } = await withActions()
  const rows = section(page, 'Header actions').getByRole('listitem')
  await page.getByRole('button', { name: 'Edit Alpha' }).click()
  await rows.nth(0).getByLabel('Label').fill('Half')
  await page.getByRole('button', { name: 'Edit Beta' }).click()
  await expect.poll(() => rows.nth(1).getByLabel('Label').inputValue()).toBe('Beta')
  await expect.poll(() => rows.nth(0).getByLabel('Label').inputValue({ timeout: 5_000 })).toBe('Half')
})

test('a first reading that fails late does not take the place of a second that came', async () => {
  const { page } = await open('/dashboard/usage')
  await page.getByText('Cards pushed today').waitFor()
  let fail = () => {}
  const held = new Promise<void>(resolve => {
    fail = resolve
  })
  await page.route(
    '**/api/usage',
    async route => {
      await held
      await route.abort()
    },
    { times: 1 },
  )
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('status', { name: 'Loading the limits' }).waitFor()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('Cards pushed today').waitFor()
  fail()
  await failed
  await page.getByRole('heading', { name: 'The last 30 days' }).waitFor()
  await expect.poll(() => page.getByRole('alert').filter({ hasText: 'reached' }).count()).toBe(0)
  await page.getByText('Cards pushed today').waitFor()
})
