// Workspace pages with one, five and forty channels, in every layout, for the screenshots.
import type { Page } from 'playwright-core'
import { LAYOUTS } from '../../../shared/workspace.ts'
import type { TestServer } from '../../support/server.ts'
import { type Api, kv, question, type Send, text } from './api.ts'
import { press } from './page.ts'
import { guest, keepAndGoOffline, owner, type Scene, UNKNOWN_ID } from './scenes.ts'
import { makeSession } from './session.ts'
import { linkStatus } from './visit.ts'

type Made = { id: string; slug: string; channels: string[] }
type Prepared = { session: Send; one: Made; five: Made; forty: Made; none: Made }

const FIVE: [string, string, string | null, Record<string, string>][] = [
  [
    'Release train',
    '🚆',
    'Builds, deploys, and what people decide about them.',
    { team: 'platform', stage: 'production' },
  ],
  [
    'Payments',
    '💳',
    'Alerts of the payment services. Acknowledge them here.',
    { team: 'payments', stage: 'production', region: 'eu-west-1', tier: 'gold', owner: 'Ann' },
  ],
  [
    'A channel with a name that is as long as a name may be, which is eighty letters',
    '🧾',
    null,
    { team: 'finance' },
  ],
  ['Sensor log', '🌡️', 'One card a minute.', { team: 'platform', stage: 'staging' }],
  ['Standups', '☕', 'What everybody is at.', {}],
]

const PLACES = 'Oslo Lisbon Berlin Kyoto Nairobi Lima Austin Perth Cairo Riga Turin'.split(' ')
const ICONS = ['🔔', '📈', '🧭', '🛠️', '📦', '🗂️', '🧯']

const FORTY = Array.from({ length: 40 }, (_, i): (typeof FIVE)[number] => {
  const country = PLACES[(i + 1) % PLACES.length] ?? ''
  const description = i % 3 === 2 ? null : `What the systems of ${country} say.`
  const attributes = { country, kind: i % 2 ? 'reports' : 'alerts' }
  return [`${country} ${i + 1}`, ICONS[(i + 1) % ICONS.length] ?? '', description, attributes]
})

const CARDS: [string, string][] = [
  ['Deploy of web 4.12 finished', 'success'],
  ['Queue above 10,000', 'warning'],
  ['Nightly import failed', 'error'],
  ['Waiting for approval', 'pending'],
  ['Weekly report', 'default'],
]
const RELEASE = { ...text('Release 2.5.0 is ready for production'), bold: true }
const ROWS = kv([
  { key: 'Host', value: 'worker-7' },
  { key: 'Took', value: '2 m 14 s' },
])

export async function prepareWorkspaces(server: TestServer, api: Api): Promise<Prepared> {
  const session = await makeSession(server)

  async function make(name: string, icon: string, list: typeof FIVE): Promise<Made> {
    const workspace = await session<{ id: string; slug: string }>('POST', '/workspaces', { name, icon })
    const channels: string[] = []
    for (const [name, icon, description, attributes] of list) {
      const fields = { icon, description, workspace_id: workspace.id, attributes }
      channels.push((await api.createChannel(name, fields)).id)
    }
    for (const [i, id] of channels.entries()) if (i % 7 !== 4) await fill(id, i)
    return { ...workspace, channels }
  }

  async function fill(id: string, i: number): Promise<void> {
    for (const [content, status] of CARDS.slice(i % 3, (i % 3) + 3))
      await api.push(id, [{ ...text(content), bold: true }, ...(i % 2 ? [] : [ROWS])], status)
  }

  const showAttribute = ({ id }: Made, key: string, use_as_filter: boolean, show_in_sidebar: boolean) =>
    session('PUT', `/workspaces/${id}/attribute-settings`, { key, use_as_filter, show_in_sidebar })

  const one = await make('Side project', '🧪', FIVE.slice(0, 1))
  const five = await make('Operations', '🛰️', FIVE)
  for (const key of ['team', 'stage', 'region', 'tier', 'owner'])
    await showAttribute(five, key, key === 'team' || key === 'stage', true)
  for (const [made, nth] of [
    [one, 0],
    [five, 0],
    [five, 3],
    [five, 3],
  ] as const)
    await api.push(made.channels[nth] ?? '', [RELEASE, question({}, 'Approve', 'Hold')], 'pending')
  await session('PATCH', `/workspaces/${one.id}`, { visibility: 'public' })
  const forty = await make('Everything that the company runs, everywhere', '🌍', FORTY)
  for (const key of ['country', 'kind']) await showAttribute(forty, key, true, key === 'kind')
  return { session, one, five, forty, none: await make('Fresh start', '🌱', []) }
}

export function workspaceScenes(server: TestServer, api: Api, prepared: Prepared): Scene[] {
  const { session } = prepared
  const open = async (page: Page, { slug, id }: Made, layout: string, query = '') => {
    await session('PATCH', `/workspaces/${id}`, { layout })
    await page.goto(`${server.url}/w/${slug}${query}`)
    await linkStatus(page, 'live')
  }

  /** Pushes cards while another channel is open. */
  async function unread(page: Page, { channels }: Made): Promise<void> {
    for (const [i, id] of channels.slice(1, 4).entries())
      for (let n = 0; n <= i * 2; n++) await api.push(id, [text('Came meanwhile')])
    await page.locator('.unread', { hasText: '5' }).first().waitFor()
  }

  const sizes = ['one', 'five', 'forty'] as const
  const layouts = LAYOUTS.flatMap(layout =>
    sizes.map(size =>
      owner(`workspace-${layout}-${size}`, async page => {
        await open(page, prepared[size], layout)
        if (size !== 'one') await unread(page, prepared[size])
      }),
    ),
  )
  const query = `?channel=${prepared.five.channels[1]}`
  return [
    ...layouts,
    owner('workspace-sidebar-open', page => open(page, prepared.five, 'sidebar', query)),
    owner('workspace-sidebar-filtered', async page => {
      await open(page, prepared.forty, 'sidebar')
      await press(page, 'Berlin')
      await press(page, 'alerts')
    }),
    owner('workspace-sidebar-no-match', async page => {
      await open(page, prepared.forty, 'sidebar')
      await page.getByLabel('Search channels').fill('nowhere')
    }),
    owner('workspace-sidebar-gone', page => open(page, prepared.five, 'sidebar', `?channel=${UNKNOWN_ID}`)),
    owner('workspace-sidebar-offline', async page => {
      await open(page, prepared.five, 'sidebar', query)
      await page.getByRole('article').first().waitFor()
      await keepAndGoOffline(page)
    }),
    owner('workspace-grid-offline', async page => {
      await open(page, prepared.five, 'grid')
      await page.locator('.tile-cards article').nth(5).waitFor()
      await keepAndGoOffline(page)
    }),
    owner('workspace-none', page => open(page, prepared.none, 'sidebar')),
    guest('workspace-list-guest', page => open(page, prepared.one, 'list')),
    guest('workspace-private', page => page.goto(`${server.url}/w/${prepared.five.slug}`)),
  ]
}
