// Workspace pages with one, five and forty channels, in every layout, for the screenshots.
import type { Page } from 'playwright-core'
import { LAYOUTS } from '../../../shared/workspace.ts'
import type { TestServer } from '../../support/server.ts'
import { type Api, text } from './api.ts'
import { makeSession, type Session } from './session.ts'
import { keptForOffline, linkStatus } from './visit.ts'

export type WorkspaceScene = { name: string; signedIn: boolean; show: (page: Page) => Promise<void> }
type Made = { id: string; slug: string; channels: string[] }
type Prepared = { session: Session; one: Made; five: Made; forty: Made; none: Made }

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

export async function prepareWorkspaces(server: TestServer, api: Api): Promise<Prepared> {
  const session = await makeSession(server)
  const make = (name: string, icon: string) =>
    session<{ id: string; slug: string }>('POST', '/workspaces', { name, icon })

  async function add(workspace_id: string, [name, icon, description, attributes]: (typeof FIVE)[number]) {
    const { id } = await api.createChannel(name, { icon, description, workspace_id, attributes })
    return id
  }

  async function fill(id: string, i: number): Promise<void> {
    for (const [content, status] of CARDS.slice(i % 3, (i % 3) + 3))
      await api.push(id, [{ ...text(content), bold: true }, ...(i % 2 ? [] : [ROWS])], status)
  }

  const one = { ...(await make('Side project', '🧪')), channels: [] as string[] }
  one.channels.push(await add(one.id, FIVE[0] ?? never()))
  const five = { ...(await make('Operations', '🛰️')), channels: [] as string[] }
  for (const channel of FIVE) five.channels.push(await add(five.id, channel))
  for (const key of ['team', 'stage', 'region', 'tier', 'owner'])
    await session('PUT', `/workspaces/${five.id}/attribute-settings`, {
      key,
      use_as_filter: key === 'team' || key === 'stage',
      show_in_sidebar: true,
    })
  const forty = {
    ...(await make('Everything that the company runs, everywhere', '🌍')),
    channels: [] as string[],
  }
  for (let i = 1; i <= 40; i++)
    forty.channels.push(
      await add(forty.id, [
        `${PLACES[i % PLACES.length]} ${i}`,
        ICONS[i % ICONS.length] ?? '📡',
        i % 3 === 0 ? null : `What the systems of ${PLACES[i % PLACES.length]} say.`,
        { country: PLACES[i % PLACES.length] ?? '', kind: i % 2 ? 'alerts' : 'reports' },
      ]),
    )
  for (const key of ['country', 'kind'])
    await session('PUT', `/workspaces/${forty.id}/attribute-settings`, {
      key,
      use_as_filter: true,
      show_in_sidebar: key === 'kind',
    })
  for (const { channels } of [one, five, forty])
    for (const [i, id] of channels.entries()) if (i % 7 !== 4) await fill(id, i)
  const none = { ...(await make('Fresh start', '🌱')), channels: [] }
  return { session, one, five, forty, none }
}

function never(): never {
  throw new Error('there is a first')
}

const PLACES = [
  'Oslo',
  'Lisbon',
  'Berlin',
  'Kyoto',
  'Nairobi',
  'Lima',
  'Austin',
  'Perth',
  'Cairo',
  'Riga',
  'Turin',
]
const ICONS = ['🔔', '📈', '🧭', '🛠️', '📦', '🗂️', '🧯']
const CARDS: [string, string][] = [
  ['Deploy of web 4.12 finished', 'success'],
  ['Queue above 10,000', 'warning'],
  ['Nightly import failed', 'error'],
  ['Waiting for approval', 'pending'],
  ['Weekly report', 'default'],
]
const ROWS = {
  type: 'kv',
  id: 'rows',
  rows: [
    { key: 'Host', value: 'worker-7' },
    { key: 'Took', value: '2 m 14 s' },
  ],
}

export function workspaceScenes(server: TestServer, api: Api, prepared: Prepared): WorkspaceScene[] {
  const { session } = prepared
  const open = async (page: Page, { slug, id }: Made, layout: string, query = '') => {
    await session('PATCH', `/workspaces/${id}`, { layout })
    await page.goto(`${server.url}/w/${slug}${query}`)
    await linkStatus(page, 'live')
  }

  /** Cards come while one looks at another channel. */
  async function unread(page: Page, { channels }: Made): Promise<void> {
    for (const [i, id] of channels.slice(1, 4).entries())
      for (let n = 0; n <= i * 2; n++) await api.push(id, [text('Came meanwhile')])
    await page.locator('.unread', { hasText: '5' }).first().waitFor()
  }

  const scenes: WorkspaceScene[] = LAYOUTS.flatMap(layout =>
    (['one', 'five', 'forty'] as const).map(size => ({
      name: `workspace-${layout}-${size}`,
      signedIn: true,
      async show(page: Page) {
        await open(page, prepared[size], layout)
        if (size !== 'one') await unread(page, prepared[size])
      },
    })),
  )
  const query = `?channel=${prepared.five.channels[1]}`
  return [
    ...scenes,
    {
      name: 'workspace-sidebar-open',
      signedIn: true,
      show: page => open(page, prepared.five, 'sidebar', query),
    },
    {
      name: 'workspace-sidebar-filtered',
      signedIn: true,
      async show(page) {
        await open(page, prepared.forty, 'sidebar')
        await page.getByRole('button', { name: 'Berlin' }).click()
        await page.getByRole('button', { name: 'alerts' }).click()
      },
    },
    {
      name: 'workspace-sidebar-no-match',
      signedIn: true,
      async show(page) {
        await open(page, prepared.forty, 'sidebar')
        await page.getByLabel('Search channels').fill('nowhere')
      },
    },
    {
      name: 'workspace-sidebar-gone',
      signedIn: true,
      show: page => open(page, prepared.five, 'sidebar', '?channel=3f1c1b0e-0000-4000-8000-000000000000'),
    },
    {
      name: 'workspace-sidebar-offline',
      signedIn: true,
      async show(page) {
        await open(page, prepared.five, 'sidebar', query)
        await page.getByRole('article').first().waitFor()
        await keptForOffline(page)
        await page.context().setOffline(true)
        await linkStatus(page, 'offline')
      },
    },
    {
      name: 'workspace-grid-offline',
      signedIn: true,
      async show(page) {
        await open(page, prepared.five, 'grid')
        await page.locator('.tile-cards article').nth(5).waitFor()
        await keptForOffline(page)
        await page.context().setOffline(true)
        await linkStatus(page, 'offline')
      },
    },
    { name: 'workspace-none', signedIn: true, show: page => open(page, prepared.none, 'sidebar') },
    {
      name: 'workspace-private',
      signedIn: false,
      show: page => page.goto(`${server.url}/w/${prepared.five.slug}`).then(() => undefined),
    },
  ]
}
