// The pages of the dashboard, with something to show on each, for the screenshots.
import type { Page } from 'playwright-core'
import type { ApiKey } from '../../../shared/api-key.ts'
import type { UsageDay } from '../../../shared/usage.ts'
import type { TestServer } from '../../support/server.ts'
import { text } from './api.ts'
import { busy, days, type Prepared, sessions } from './dashboard-data.ts'

export type DashboardScene = {
  name: string
  signedIn: boolean
  /** The page whole, not only what fits the window. A dialog fills the window. */
  full: boolean
  show: (page: Page) => Promise<void>
}

const DIALOGS = [
  'new-channel',
  'new-channel-discard',
  'icon',
  'icon-found',
  'unsaved',
  'undo',
  'workspace-delete',
  'key-revoke',
  'new-key',
  'account-sign-out',
]

const HISTORY = '**/api/usage/history'
const LIMITS = '**/api/usage'

export function dashboardScenes(
  server: TestServer,
  { channel, workspace, empty, many }: Prepared,
): DashboardScene[] {
  const scene = (name: string, path: string, then?: (page: Page) => Promise<void>): DashboardScene => ({
    name: `dashboard-${name}`,
    signedIn: true,
    full: !DIALOGS.includes(name),
    async show(page) {
      await page.route('**/api/auth/sessions', route => route.fulfill({ json: sessions() }))
      await page.route(HISTORY, async route => {
        const { days: real }: { days: UsageDay[] } = await (await route.fetch()).json()
        // Today is as it was, and as the numbers of the day above have it.
        await route.fulfill({ json: { days: [...days(busy).slice(0, -1), ...real.slice(-1)] } })
      })
      await page.route(LIMITS, async route => {
        const limits = await (await route.fetch()).json()
        limits.cards.limit = 1_000
        limits.channels.limit = limits.channels.used
        limits.workspaces.limit = 10
        await route.fulfill({ json: limits })
      })
      await page.goto(server.url + path)
      await page.waitForLoadState('networkidle')
      await then?.(page)
    },
  })
  /** For the next picture. */
  async function forget(page: Page, name: string): Promise<void> {
    const { request } = page.context()
    const keys: ApiKey[] = await (await request.get(`${server.url}/api/api-keys`)).json()
    for (const { id } of keys.filter(key => key.name === name))
      await request.delete(`${server.url}/api/api-keys/${id}`, { headers: { Origin: server.url } })
  }
  const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
  return [
    scene('home', '/'),
    scene('new-channel', '/', press('New channel in')),
    scene('new-channel-discard', '/', async page => {
      await press('New channel in')(page)
      await page.getByRole('dialog').getByLabel('Name').fill('Half of a na')
      await page.keyboard.press('Escape')
      await page.getByText('Discard what you entered?').waitFor()
    }),
    scene('icon', `/dashboard/channels/${channel}`, async page => {
      await press('Choose')(page)
      await page.getByLabel('Search emojis').press('ArrowDown')
      await page.keyboard.press('ArrowDown')
    }),
    scene('icon-found', '/', async page => {
      await press('New channel in')(page)
      await press('Choose')(page)
      await page.getByLabel('Search emojis').fill('fire')
    }),
    scene('unsaved', `/dashboard/channels/${channel}`, async page => {
      await page.getByLabel('Name').first().fill('Another name')
      await page.getByRole('link', { name: 'Open channel' }).click()
      await page.getByRole('alertdialog').waitFor()
    }),
    scene('undo', `/dashboard/channels/${channel}`, async page => {
      await page.route('**/attributes', async route => {
        if (route.request().method() !== 'PUT') return route.fallback()
        return route.fulfill({ json: { team: 'payments', created_at: '', updated_at: '' } })
      })
      await page.getByRole('button', { name: 'Delete stage' }).click()
      await page.getByText('Deleted the attribute').waitFor()
    }),
    scene('actions', `/dashboard/channels/${channel}`, async page => {
      const handle = page.getByRole('button', { name: 'Move Silence all' })
      await handle.scrollIntoViewIfNeeded()
      const box = await handle.boundingBox()
      if (!box) throw new Error('the handle is on the page')
      await page.mouse.move(box.x + 10, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(box.x + 14, box.y + 70, { steps: 5 })
    }),
    scene('many', `/dashboard/channels/${many}`),
    scene('workspace', `/dashboard/workspaces/${server.workspace_id}`),
    scene('workspace-many', '/', async page => {
      await page.getByRole('link', { name: 'Settings of Operations of' }).click()
      await page.getByText('attribute-1', { exact: true }).waitFor()
      await page.getByRole('radio', { name: 'Tabs' }).check()
    }),
    scene('workspace-slug', `/dashboard/workspaces/${workspace}`, async page => {
      await page.getByLabel('Grid').check()
      await page.getByLabel('Custom slug').fill('a-very-good-name')
      await page.getByText('Available.').waitFor()
    }),
    scene('workspace-errors', `/dashboard/workspaces/${server.workspace_id}`, async page => {
      await page.getByLabel('Anyone with the password').check()
      await page.getByRole('region', { name: 'Who can see it' }).getByRole('button', { name: 'Save' }).click()
      await page.getByText('Password is required').waitFor()
      await page.getByLabel('Custom slug').fill('Side projects')
      await page.getByRole('button', { name: 'Use side-projects' }).click()
      await page.getByText('Custom slug is already taken').waitFor()
    }),
    scene('workspace-delete', `/dashboard/workspaces/${workspace}`, press('Delete workspace')),
    scene('log', `/dashboard/channels/${channel}/log`),
    scene('log-open', `/dashboard/channels/${channel}/log`, async page => {
      await page.getByRole('button', { name: 'worker 7' }).click()
      await page.getByText('database is locked').waitFor()
    }),
    scene('log-empty', `/dashboard/channels/${empty}/log`),
    scene('log-no-match', `/dashboard/channels/${channel}/log?status=pending`),
    scene('channel', `/dashboard/channels/${channel}`, async page => {
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByRole('button', { name: 'Show the signing secret' }).click()
      await page.getByText('whsec_').waitFor()
      await page.getByText('Delivered').first().waitFor()
      await page.getByRole('button', { name: 'Edit Page on-call' }).click()
    }),
    scene('keys', '/dashboard/keys'),
    scene('key-made', '/dashboard/keys', async page => {
      await press('New key')(page)
      await page.getByLabel('Name').fill('Deploy bot')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Copy it now').waitFor()
      await forget(page, 'Deploy bot')
    }),
    scene('key-revoke', '/dashboard/keys', press('Revoke Grafana')),
    scene('new-key', '/dashboard/keys', press('New key')),
    scene('account', '/dashboard/account', page =>
      page.getByRole('listitem').filter({ hasText: 'This session' }).waitFor(),
    ),
    scene('account-errors', '/dashboard/account', async page => {
      await page.getByLabel('Current password').fill('not this one')
      await page.getByLabel('New password').fill('a long password')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
    }),
    scene('account-sign-out', '/dashboard/account', press('Sign out Safari on iPhone')),
    scene('usage', '/dashboard/usage', page => page.getByText('failed').first().waitFor()),
    scene('usage-day', '/dashboard/usage', async page => {
      const days = page.getByRole('slider', { name: 'Webhook deliveries' })
      await days.focus()
      for (let i = 0; i < 11; i++) await days.press('ArrowLeft')
    }),
    scene('usage-table', '/dashboard/usage', page => page.getByText('Show as a table').click()),
    scene('usage-little', '/dashboard/usage', async page => {
      await page.unroute(HISTORY)
      await page.reload()
      await page.getByText('Webhook deliveries').waitFor()
    }),
    scene('usage-empty', '/dashboard/usage', async page => {
      await page.route(HISTORY, route => route.fulfill({ json: { days: days(() => 0) } }))
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
    scene('missing', '/dashboard/channels/3f1c1b0e-0000-4000-8000-000000000000'),
    scene('offline', `/dashboard/channels/${channel}/log`, async page => {
      await page.context().setOffline(true)
      await page.getByText('You are offline').waitFor()
    }),
    scene('away', `/dashboard/channels/${channel}`, async page => {
      await page.route('**/api/**', route => route.abort())
      await page.reload()
      await page.getByText('The server cannot be reached').waitFor()
    }),
    ...firstRun(server),
  ]
}

function firstRun(server: TestServer): DashboardScene[] {
  async function signUp(page: Page): Promise<void> {
    await page.goto(`${server.url}/sign-up`)
    await page.getByLabel('Name').fill('Ann')
    await page.getByLabel('E-mail').fill(`${crypto.randomUUID()}@example.com`)
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
  }
  async function toChannel(page: Page): Promise<void> {
    await signUp(page)
    await page.getByLabel('Name').fill('Acme')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('heading', { name: 'Create a channel' }).waitFor()
  }
  async function toCard(page: Page): Promise<string> {
    await toChannel(page)
    await page.getByLabel('Name').fill('Deploys')
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByText('Your card will appear here').waitFor()
    return (await page.locator('.command').textContent()) ?? ''
  }
  async function toArrival(page: Page): Promise<void> {
    const line = await toCard(page)
    const [url = ''] = /http\S+/.exec(line) ?? []
    const [key = ''] = /cf_[\w-]+/.exec(line) ?? []
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ blocks: [text('Hello from curl')], status: 'success' })
    await fetch(url, { method: 'POST', headers, body })
    await page.getByText('Your first card is here').waitFor()
  }
  const steps: [string, (page: Page) => Promise<unknown>][] = [
    ['workspace', signUp],
    ['channel', toChannel],
    ['card', toCard],
    ['arrival', toArrival],
  ]
  return steps.map(([name, show]) => ({
    name: `first-run-${name}`,
    signedIn: false,
    full: true,
    show: page => show(page).then(() => undefined),
  }))
}
