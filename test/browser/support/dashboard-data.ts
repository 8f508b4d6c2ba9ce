// What the dashboard shows in its scenes: real channels, keys and interactions, and sessions and usage of the past.
import type { ListedSession } from '../../../shared/session.ts'
import type { UsageDay } from '../../../shared/usage.ts'
import { type Received, startReceiver } from '../../support/receiver.ts'
import type { TestServer } from '../../support/server.ts'
import { type Api, buttons, type Send, text } from './api.ts'
import { makeSession, readLog } from './session.ts'
import { FIREFOX, SAFARI } from './visit.ts'

export type Prepared = Awaited<ReturnType<typeof prepareDashboard>>

export async function prepareDashboard(server: TestServer, api: Api) {
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
  await interact(session, api, channel)
  return { channel, workspace, empty, many: await prepareMany(session, api), stop: receiver.stop }
}

const LONG_NAME = 'Extinguishers that somebody has to look at every other week'

/** A workspace of many channels with long names and many attributes; its id, and that of one of the channels. */
async function prepareMany(session: Send, api: Api) {
  const { id: workspace_id } = await session<{ id: string }>('POST', '/workspaces', {
    name: 'Operations of the north-western region and everything around it',
    icon: '🛰️',
  })
  const names = { '🚒': 'Fires', '🧯': LONG_NAME, '🪜': 'Ladders', '🚑': 'Calls' }
  const made = await Promise.all(
    Object.entries(names).map(([icon, name]) =>
      api.createChannel(name, { workspace_id, icon, description: `All about ${name}` }),
    ),
  )
  const keys = Array.from({ length: 99 }, (_, i) => [`attribute-${i + 1}`, `value ${i + 1}`])
  for (const [i, { id }] of made.entries()) {
    const more = i === 1 ? Object.fromEntries(keys) : {}
    await session('PUT', `/channels/${id}/attributes`, { ...more, team: i % 2 === 0 ? 'north' : 'safety' })
  }
  const team = { key: 'team', show_in_sidebar: true, use_as_filter: true }
  await session('PUT', `/workspaces/${workspace_id}/attribute-settings`, team)
  return { workspace: workspace_id, channel: made[1]?.id ?? '' }
}

const isReply = ({ body }: Received) => body.includes('"reply"') && !body.includes('Thanks')

const keys = (server: TestServer): [string, object][] => [
  ['Nightly import', { scope: 'write', workspace_id: server.workspace_id }],
  ['Grafana', { scope: 'write', expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() }],
  ['Status page', { scope: 'read' }],
]

async function interact(session: Send, api: Api, channel: string): Promise<void> {
  const { id: card_id } = await api.push(channel, [
    text('Error rate above 2 %'),
    { type: 'select', id: 'region', label: 'Region', options: ['eu', 'us'], send_on_change: true },
    buttons('Acknowledge'),
  ])
  const post = (trigger: object, more: object = {}) =>
    session<{ interaction_id: string }>('POST', `/channels/${channel}/interactions`, { trigger, ...more })
  for (let i = 0; i < 22; i++) await post({ type: 'reply', text: `Thanks, looking (${i})` })
  await post({ type: 'input_change', block_id: 'region', value: 'eu' }, { card_id })
  await post({ type: 'button_click', button_id: 'acknowledge' }, { card_id, values: { region: 'eu' } })
  const { interaction_id } = await post({
    type: 'reply',
    text: 'The retry queue is above 10,000 again, can somebody look at worker 7?',
  })
  await delivered(session, channel)
  await session('POST', `/channels/${channel}/interactions/${interaction_id}/redeliver`, {})
  await delivered(session, channel)
  await session('POST', `/channels/${channel}/webhook-test`, {})
}

async function delivered(session: Send, channel: string): Promise<void> {
  for (;;) {
    const log = await readLog(session, channel)
    if (log.every(({ deliveries }) => deliveries[0]?.status !== 'pending')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Where the owner is signed in: how many hours ago it was used, how many days ago it began. The first is this one. */
const BROWSERS: [string, hours: number, days: number][] = [
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    0,
    3,
  ],
  [SAFARI, 0, 12],
  [FIREFOX, 26, 41],
  ['curl/8.5.0', 400, 17],
]

/** What time does to sessions cannot be had at once. */
export function sessions(): ListedSession[] {
  // Of a day that is over, at an hour that is long in words, whatever the hour of the run.
  const ago = (hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000)
    if (hours >= 24) time.setHours(22, 58)
    return time.toISOString()
  }
  return BROWSERS.map(([user_agent, hours, days], i) => ({
    id: crypto.randomUUID(),
    current: i === 0,
    user_agent,
    created_at: ago(days * 24 + 5),
    last_used_at: ago(hours),
    expires_at: ago(hours - 30 * 24),
  }))
}

/** How busy a day was, 0 to 1: weekends are quiet, and one day was bad. */
export function busy(ago: number): number {
  const weekday = new Date(Date.now() - ago * 86_400_000).getUTCDay()
  const wave = 0.62 + 0.3 * Math.sin(ago * 1.7) * Math.cos(ago * 0.6)
  return weekday % 6 === 0 ? wave * 0.18 : wave
}

export function days(busy: (ago: number) => number): UsageDay[] {
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
