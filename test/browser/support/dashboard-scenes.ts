// The pages of the dashboard, with something to show on each.
import type { Page } from 'playwright-core'
import type { ApiKey } from '../../../shared/api-key.ts'
import type { UsageHistory } from '../../../shared/usage.ts'
import type { TestServer } from '../../support/server.ts'
import { makeApi, text } from './api.ts'
import { busy, days, type Prepared, sessions } from './dashboard-data.ts'
import { boxOf, createFirstWorkspace, press, signUp } from './page.ts'
import { guest, owner, type Scene, UNKNOWN_ID } from './scenes.ts'
import { addAction, addAttribute, save } from './settings.ts'

type Step = (page: Page) => Promise<unknown>
type MakeScene = (name: string, path: string, then?: Step) => Scene
/** `dialog` makes a scene that fills the window. */
type Makers = { scene: MakeScene; dialog: MakeScene }

const HISTORY = '**/api/usage/history*'
const LIMITS = '**/api/usage'

export function dashboardScenes(server: TestServer, prepared: Prepared): Scene[] {
  const make = (name: string, path: string, then: Step | undefined, full: boolean) =>
    owner(
      `dashboard-${name}`,
      async page => {
        await fakeHistory(page)
        await page.goto(server.url + path)
        await loaded(page)
        await then?.(page)
      },
      { full },
    )
  const makers: Makers = {
    scene: (name, path, then) => make(name, path, then, true),
    dialog: (name, path, then) => make(name, path, then, false),
  }
  return [
    ...channelScenes(makers, prepared),
    ...workspaceScenes(makers, prepared, server.workspace_id),
    ...logScenes(makers, prepared),
    ...accountScenes(makers, server),
    ...usageScenes(makers),
    ...firstRun(server),
  ]
}

/** Waits until nothing of the page is loading. */
async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const isLoaded = () =>
    !document.querySelector('.skeletons') && !document.body.innerText.includes('Loading…')
  await page.waitForFunction(isLoaded)
}

/** Sessions and usage of the past, which only time could make. */
async function fakeHistory(page: Page): Promise<void> {
  await page.route('**/api/auth/sessions', route => route.fulfill({ json: sessions() }))
  await page.route(HISTORY, async route => {
    const { days: real, channels }: UsageHistory = await (await route.fetch()).json()
    // Today stays as it was, to agree with the numbers above the charts.
    await route.fulfill({ json: { channels, days: [...days(busy).slice(0, -1), ...real.slice(-1)] } })
  })
  await page.route(LIMITS, async route => {
    const limits = await (await route.fetch()).json()
    limits.cards.limit = 1_000
    limits.channels.limit = limits.channels.used
    limits.workspaces.limit = 10
    await route.fulfill({ json: limits })
  })
}

/** Channels in every state: a decision that waits, a failing webhook, unread cards. */
async function withSigns(page: Page): Promise<void> {
  const card = (status: string, text: string) => ({
    last_card: { id: UNKNOWN_ID, status, text, created_at: new Date(Date.now() - 60_000).toISOString() },
  })
  const signs = [
    { waiting: 2, needs_you: 2, ...card('pending', 'Refund of 1,940 € waits for a second pair of eyes') },
    { webhook: { failed: 6, of: 20 }, ...card('error', 'Error rate above 2 %') },
    { webhook: { failed: 0, of: 20 }, ...card('success', 'Nightly import finished: 214 parts, 0 skipped') },
    { webhook: { failed: 1, of: 20 }, ...card('warning', 'Two of 31 are past their date') },
    card('default', 'Hall 4: 21.4 °C, 41 % humidity'),
  ]
  await page.route('**/api/channels?*', async route => {
    const channels: object[] = await (await route.fetch()).json()
    await route.fulfill({ json: channels.map((channel, i) => ({ ...channel, ...signs[i % signs.length] })) })
  })
  // The live page would correct them.
  await page.route('**/api/workspaces/by-slug/*', route => route.abort())
  await page.reload()
  await page.getByText('Refund of 1,940').first().waitFor()
}

const pressFirst = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()

function channelScenes({ scene, dialog }: Makers, { channel, many }: Prepared): Scene[] {
  const settings = `/dashboard/channels/${channel}`
  const newChannel = pressFirst('New channel in')
  return [
    scene('home', '/', withSigns),
    dialog('home-menu', '/', async page => {
      await withSigns(page)
      await pressFirst('More about')(page)
    }),
    dialog('home-navigation', '/', async page => {
      const menu = page.getByRole('button', { name: 'Menu', exact: true })
      if (await menu.isVisible()) await menu.click()
      await pressFirst('Channels in')(page)
    }),
    dialog('new-channel', '/', newChannel),
    dialog('new-channel-discard', '/', async page => {
      await newChannel(page)
      await page.getByRole('dialog').getByLabel('Name').fill('Half of a na')
      await page.keyboard.press('Escape')
      await page.getByText('Discard what you entered?').waitFor()
    }),
    dialog('icon', settings, async page => {
      await pressFirst('Choose')(page)
      await page.getByLabel('Search emojis').press('ArrowDown')
      await page.keyboard.press('ArrowDown')
    }),
    dialog('icon-found', '/', async page => {
      await newChannel(page)
      await pressFirst('Choose')(page)
      await page.getByLabel('Search emojis').fill('fire')
    }),
    dialog('unsaved', settings, async page => {
      await page.getByLabel('Name').first().fill('Another name')
      await page.getByRole('link', { name: 'Feed', exact: true }).click()
      await page.getByRole('alertdialog').waitFor()
    }),
    scene('unsaved-lists', settings, async page => {
      await press(page, 'Delete stage')
      await press(page, 'Delete Page on-call')
      await addAttribute(page, 'region', 'eu')
      await addAction(page, 'Restart')
    }),
    scene('actions', settings, async page => {
      const handle = page.getByRole('button', { name: 'Move Silence all', exact: true })
      await handle.scrollIntoViewIfNeeded()
      const box = await boxOf(handle)
      await page.mouse.move(box.x + 10, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(box.x + 14, box.y + 70, { steps: 5 })
    }),
    scene('many', `/dashboard/channels/${many.channel}`),
    scene('channel', settings, async page => {
      await press(page, 'Send test')
      await press(page, 'Show the signing secret')
      await page.getByText('whsec_').waitFor()
      await page.getByText('Delivered').first().waitFor()
    }),
    scene('missing', `/dashboard/channels/${UNKNOWN_ID}`),
    scene('away', settings, async page => {
      await page.route('**/api/**', route => route.abort())
      await page.reload()
      await page.getByText('The server can’t be reached').waitFor()
    }),
  ]
}

function workspaceScenes({ scene, dialog }: Makers, { workspace, many }: Prepared, demo: string): Scene[] {
  const settings = `/dashboard/workspaces/${workspace}`
  return [
    scene('workspace', `/dashboard/workspaces/${demo}`),
    scene('workspace-many', `/dashboard/workspaces/${many.workspace}`, async page => {
      await page.getByText('attribute-1', { exact: true }).waitFor()
      await page.getByRole('radio', { name: 'Tabs' }).check()
    }),
    scene('workspace-slug', settings, async page => {
      await page.getByRole('radio', { name: 'Grid' }).check()
      await page.getByLabel('Custom slug').fill('a-very-good-name')
      await page.getByText('Available.').waitFor()
    }),
    scene('workspace-errors', `/dashboard/workspaces/${demo}`, async page => {
      await page.getByLabel('Anyone with the password').check()
      await save(page)
      await page.getByText('Password is required').waitFor()
      await page.getByLabel('Custom slug').fill('Side projects')
      await press(page, 'Use side-projects')
      await page.getByText('Custom slug is already taken').waitFor()
    }),
    dialog('workspace-delete', settings, pressFirst('Delete workspace')),
  ]
}

function logScenes({ scene }: Makers, { channel, empty }: Prepared): Scene[] {
  const log = `/dashboard/channels/${channel}/log`
  return [
    scene('log', log),
    scene('log-open', log, async page => {
      await press(page, 'worker 7')
      await page.getByRole('tab', { name: 'Response' }).click()
      await page.getByText('database is locked').waitFor()
    }),
    scene('log-card', log, async page => {
      await press(page, 'Acknowledge')
      await page.getByRole('tab', { name: 'Card' }).click()
      await page.getByText('Error rate above 2 %').waitFor()
    }),
    scene('log-empty', `/dashboard/channels/${empty}/log`),
    scene('log-no-match', `${log}?status=pending`),
    scene('offline', log, async page => {
      await page.context().setOffline(true)
      await page.getByText('You are offline').waitFor()
    }),
  ]
}

function accountScenes({ scene, dialog }: Makers, { url }: TestServer): Scene[] {
  /** Deletes the keys of this name, for the next picture. */
  async function deleteKeys(page: Page, name: string): Promise<void> {
    const { request } = page.context()
    const keys: ApiKey[] = await (await request.get(`${url}/api/api-keys`)).json()
    for (const { id } of keys.filter(key => key.name === name))
      await request.delete(`${url}/api/api-keys/${id}`, { headers: { Origin: url } })
  }
  return [
    scene('keys', '/dashboard/keys'),
    scene('key-made', '/dashboard/keys', async page => {
      await pressFirst('New key')(page)
      await page.getByLabel('Name').fill('Deploy bot')
      await press(page, 'Create key')
      await page.getByText('Copy it now').waitFor()
      await deleteKeys(page, 'Deploy bot')
    }),
    dialog('key-revoke', '/dashboard/keys', pressFirst('Revoke Grafana')),
    dialog('new-key', '/dashboard/keys', pressFirst('New key')),
    scene('account', '/dashboard/account', page =>
      page.getByRole('listitem').filter({ hasText: 'This session' }).waitFor(),
    ),
    dialog('account-errors', '/dashboard/account', async page => {
      await press(page, 'Change password…')
      await page.getByLabel('Current password').fill('not this one')
      await page.getByLabel('New password').fill('a long password')
      await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
      await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
    }),
    dialog('account-sign-out', '/dashboard/account', pressFirst('Sign out Safari on iPhone')),
  ]
}

function usageScenes({ scene }: Makers): Scene[] {
  return [
    scene('usage', '/dashboard/usage', page => page.getByText('failed').first().waitFor()),
    scene('usage-day', '/dashboard/usage', async page => {
      const slider = page.getByRole('slider', { name: 'Webhook deliveries' })
      await slider.focus()
      for (let i = 0; i < 11; i++) await slider.press('ArrowLeft')
    }),
    scene('usage-table', '/dashboard/usage', page => page.getByText('Show as a table').click()),
    scene('usage-little', '/dashboard/usage', async page => {
      await page.unroute(HISTORY)
      await page.reload()
      await page.getByText('Webhook deliveries').waitFor()
    }),
    scene('usage-empty', '/dashboard/usage', async page => {
      await page.route(HISTORY, route => route.fulfill({ json: { days: days(() => 0), channels: [] } }))
      await page.unroute(LIMITS)
      await page.route(LIMITS, async route => {
        const limits = await (await route.fetch()).json()
        limits.cards.used = 0
        limits.channels.used = 0
        await route.fulfill({ json: limits })
      })
      await page.reload()
      await page.getByText('No activity in the last 30 days').waitFor()
    }),
  ]
}

function firstRun(server: TestServer): Scene[] {
  const toWorkspace = (page: Page) => signUp(page, server.url)
  async function toChannel(page: Page): Promise<void> {
    await toWorkspace(page)
    await createFirstWorkspace(page)
  }
  async function toCard(page: Page): Promise<void> {
    await toChannel(page)
    await page.getByLabel('Name').fill('Deploys')
    await press(page, 'Create channel')
    await page.getByText('Your card will appear here').waitFor()
  }
  async function toArrival(page: Page): Promise<void> {
    await toCard(page)
    const command = (await page.locator('.command').textContent()) ?? ''
    const [, channel = ''] = /channels\/([0-9a-f-]+)/.exec(command) ?? []
    const [api_key = ''] = /cf_[\w-]+/.exec(command) ?? []
    await makeApi({ ...server, api_key }).push(channel, [text('Hello from curl')], 'success')
    await page.getByText('Your first card is here').waitFor()
  }
  return [
    guest('first-run-workspace', toWorkspace, { full: true }),
    guest('first-run-channel', toChannel, { full: true }),
    guest('first-run-card', toCard, { full: true }),
    guest('first-run-arrival', toArrival, { full: true }),
  ]
}
