// The pages of the dashboard, with something to show on each, for the screenshots.
import type { Page } from 'playwright-core'
import type { ListedSession } from '../../../shared/session.ts'
import type { UsageDay } from '../../../shared/usage.ts'
import { type Received, startReceiver } from '../../support/receiver.ts'
import type { TestServer } from '../../support/server.ts'
import { type Api, text } from './api.ts'
import { makeSession, readLog, type Session } from './session.ts'

export type DashboardScene = {
  name: string
  signedIn: boolean
  /** The page whole, not only what fits the window. A dialog fills the window. */
  full: boolean
  show: (page: Page) => Promise<void>
}

type Prepared = { channel: string; workspace: string; empty: string; many: string; stop: () => Promise<void> }

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

export async function prepareDashboard(server: TestServer, api: Api): Promise<Prepared> {
  const session = await makeSession(server)
  const receiver = await startReceiver()
  receiver.behave((request, nth) =>
    isReply(request)
      ? { kind: 'answer', status: 500, body: '{"error":"database is locked"}' }
      : { kind: 'answer', status: 200, body: `{"received":${nth}}` },
  )
  const { id: channel } = await api.createChannel('Payments alerts', {
    icon: '🚨',
    description: 'What the monitors find. Acknowledge, silence or roll back from here.',
    webhook_url: `${receiver.url}/hooks/payments`,
  })
  const { id: empty } = await api.createChannel('Backups', { icon: '📦', mode: 'view' })
  await api.addAction(channel, 'Silence all', 'secondary', 1)
  await api.addAction(channel, 'Page on-call', 'danger', 2)
  await api.addAction(channel, 'Open the runbook for payment incidents in production', 'primary', 3)
  await session('PUT', `/channels/${channel}/attributes`, { team: 'payments', stage: 'production' })
  await session('PUT', `/channels/${empty}/attributes`, { team: 'platform' })
  await session('PUT', `/workspaces/${server.workspace_id}/attribute-settings`, {
    key: 'team',
    use_as_filter: true,
  })
  const { id: workspace } = await session<{ id: string }>('POST', '/workspaces', {
    name: 'Side projects',
    icon: '🧪',
  })
  await session('PATCH', `/workspaces/${workspace}`, { visibility: 'public', custom_slug: 'side-projects' })
  for (const [name, fields] of keys(server)) await session('POST', '/api-keys', { name, ...fields })
  await act(session, api, channel)
  return { channel, workspace, empty, many: await prepareMany(session, api), stop: receiver.stop }
}

/** A workspace of many channels with long names and many attributes; one of its channels. */
async function prepareMany(session: Session, api: Api): Promise<string> {
  const { id: workspace_id } = await session<{ id: string }>('POST', '/workspaces', {
    name: 'Operations of the north-western region and everything around it',
    icon: '🛰️',
  })
  const names = [
    '🚒 Fires',
    '🧯 Extinguishers that somebody has to look at every other week',
    '🪜 Ladders',
    '🚑 Calls',
  ]
  const made = await Promise.all(
    names.map(name =>
      api.createChannel(name.slice(3), {
        workspace_id,
        icon: name.split(' ')[0],
        description: `All about ${name.slice(3)}`,
      }),
    ),
  )
  const keys = Array.from({ length: 99 }, (_, i) => [`attribute-${i + 1}`, `value ${i + 1}`])
  for (const [i, { id }] of made.entries()) {
    const more = i === 1 ? Object.fromEntries(keys) : {}
    await session('PUT', `/channels/${id}/attributes`, { ...more, team: i % 2 === 0 ? 'north' : 'safety' })
  }
  const team = { key: 'team', show_in_sidebar: true, use_as_filter: true }
  await session('PUT', `/workspaces/${workspace_id}/attribute-settings`, team)
  return made[1]?.id ?? ''
}

/** Where the owner is signed in besides: how many hours ago it was used, how many days ago it began. */
const BROWSERS: [string, hours: number, days: number][] = [
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    0,
    12,
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 26, 41],
  ['curl/8.5.0', 400, 17],
]

/** What time does to sessions cannot be had at once. */
function sessions(): ListedSession[] {
  // Of a day that is over, at an hour that is long in words, whatever the hour of the run.
  const ago = (hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000)
    if (hours >= 24) time.setHours(22, 58)
    return time.toISOString()
  }
  const own: [string, number, number] = [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    0,
    3,
  ]
  return [own, ...BROWSERS].map(([user_agent, hours, days], i) => ({
    id: crypto.randomUUID(),
    current: i === 0,
    user_agent,
    created_at: ago(days * 24 + 5),
    last_used_at: ago(hours),
    expires_at: ago(hours - 30 * 24),
  }))
}

const HISTORY = '**/api/usage/history'

/** How busy a day was, 0 to 1: weekends are quiet, and one day was bad. */
function busy(ago: number): number {
  const weekday = new Date(Date.now() - ago * 86_400_000).getUTCDay()
  const wave = 0.62 + 0.3 * Math.sin(ago * 1.7) * Math.cos(ago * 0.6)
  return weekday % 6 === 0 ? wave * 0.18 : wave
}

function days(busy: (ago: number) => number): UsageDay[] {
  return Array.from({ length: 30 }, (_, i) => {
    const ago = 29 - i
    const much = busy(ago)
    const interactions = Math.round(much * 61)
    const failed = Math.round(interactions * (ago === 11 ? 0.55 : ago % 4 === 0 ? 0.04 : 0))
    return {
      day: new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
      cards: Math.round(much * 187),
      channels: ago % 9 === 2 ? Math.ceil(much * 3) : 0,
      interactions,
      delivered: interactions - failed,
      failed,
    }
  })
}

const isReply = ({ body }: Received) => body.includes('"reply"') && !body.includes('Thanks')

const keys = (server: TestServer): [string, object][] => [
  ['Nightly import', { scope: 'write', workspace_id: server.workspace_id }],
  ['Grafana', { scope: 'write', expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() }],
  ['Status page', { scope: 'read' }],
]

async function act(session: Session, api: Api, channel: string): Promise<void> {
  const { id: card_id } = await api.push(channel, [
    text('Error rate above 2 %'),
    { type: 'select', id: 'region', label: 'Region', options: ['eu', 'us'], send_on_change: true },
    { type: 'button', id: 'buttons', buttons: [{ id: 'ack', label: 'Acknowledge' }] },
  ])
  const post = (trigger: object, more: object = {}) =>
    session<{ interaction_id: string }>('POST', `/channels/${channel}/interactions`, { trigger, ...more })
  for (let i = 0; i < 22; i++) await post({ type: 'reply', text: `Thanks, looking (${i})` })
  await post({ type: 'input_change', block_id: 'region', value: 'eu' }, { card_id })
  await post({ type: 'button_click', button_id: 'ack' }, { card_id, values: { region: 'eu' } })
  const { interaction_id } = await post({
    type: 'reply',
    text: 'The retry queue is above 10,000 again, can somebody look at worker 7?',
  })
  await delivered(session, channel)
  await session('POST', `/channels/${channel}/interactions/${interaction_id}/redeliver`, {})
  await delivered(session, channel)
  await session('POST', `/channels/${channel}/webhook-test`, {})
}

async function delivered(session: Session, channel: string): Promise<void> {
  for (;;) {
    const log = await readLog(session, channel)
    if (log.every(({ deliveries }) => deliveries[0]?.status !== 'pending')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

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
      await page.goto(server.url + path)
      await page.waitForLoadState('networkidle')
      await then?.(page)
    },
  })
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
      await page.getByRole('link', { name: 'Open feed' }).click()
      await page.getByRole('alertdialog').waitFor()
    }),
    scene('undo', `/dashboard/channels/${channel}`, async page => {
      await page.route('**/attributes', async route => {
        if (route.request().method() !== 'PUT') return route.fallback()
        return route.fulfill({ json: { team: 'payments', created_at: '', updated_at: '' } })
      })
      await page.getByRole('button', { name: 'Remove stage' }).click()
      await page.getByText('Removed the attribute').waitFor()
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
      await page.getByLabel('Tabs').check()
    }),
    scene('workspace-slug', `/dashboard/workspaces/${workspace}`, async page => {
      await page.getByLabel('Grid').check()
      await page.getByLabel('Custom slug').fill('a-very-good-name')
      await page.getByText('Available.').waitFor()
    }),
    scene('workspace-errors', `/dashboard/workspaces/${server.workspace_id}`, async page => {
      await page.getByLabel('Whoever has the password').check()
      await page.getByRole('region', { name: 'Who may see it' }).getByRole('button', { name: 'Save' }).click()
      await page.getByText('Password is required').waitFor()
      await page.getByLabel('Custom slug').fill('Side projects')
      await page.getByRole('button', { name: 'Take side-projects' }).click()
      await page.getByText('Custom slug is already taken').waitFor()
    }),
    scene('workspace-delete', `/dashboard/workspaces/${workspace}`, press('Delete workspace')),
    scene('channel', `/dashboard/channels/${channel}`, async page => {
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('button', { name: 'Show the signing secret' }).click()
      await page.getByText('whsec_').waitFor()
      await page.getByText('Delivered').first().waitFor()
      await page.getByRole('button', { name: 'Edit Page on-call' }).click()
    }),
    scene('log', `/dashboard/channels/${channel}/log`),
    scene('log-open', `/dashboard/channels/${channel}/log`, async page => {
      await page.getByRole('button', { name: 'worker 7' }).click()
      await page.getByText('database is locked').waitFor()
    }),
    scene('log-empty', `/dashboard/channels/${empty}/log`),
    scene('log-no-match', `/dashboard/channels/${channel}/log?status=pending`),
    scene('keys', '/dashboard/keys'),
    scene('key-made', '/dashboard/keys', async page => {
      await press('New key')(page)
      await page.getByLabel('Name').fill('Deploy bot')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Copy it now').waitFor()
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
    scene('usage-table', '/dashboard/usage', page => page.getByText('All numbers as a table').click()),
    scene('usage-little', '/dashboard/usage', async page => {
      await page.unroute(HISTORY)
      await page.reload()
      await page.getByText('Webhook deliveries').waitFor()
    }),
    scene('usage-empty', '/dashboard/usage', async page => {
      await page.route(HISTORY, route => route.fulfill({ json: { days: days(() => 0) } }))
      await page.reload()
      await page.getByText('Nothing in these days').waitFor()
    }),
    scene('missing', '/dashboard/channels/3f1c1b0e-0000-4000-8000-000000000000'),
    scene('offline', `/dashboard/channels/${channel}/log`, async page => {
      await page.context().setOffline(true)
      await page.getByText('You are offline').waitFor()
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
