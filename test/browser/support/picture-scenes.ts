// The pictures in the README. Their owner has an account without other channels.
import type { TestServer } from '../../support/server.ts'
import { type Api, buttons, kv, makeApi, question, text } from './api.ts'
import { openBuilder, openRow, takeExample } from './builder.ts'
import { owner, type Scene } from './scenes.ts'
import { makeSession } from './session.ts'
import { card, linkStatus } from './visit.ts'

const title = (content: string) => ({ ...text(content, 'title'), size: 'lg', bold: true })
const badge = (label: string) => ({ type: 'badge', id: label, label })
const rows = (...pairs: [string, string][]) => kv(pairs.map(([key, value]) => ({ key, value })))
const REJECT = { id: 'reject', label: 'Reject…', style: 'danger' }
const HOLD = { id: 'hold', label: 'Hold', style: 'secondary' }

const OTHERS: [string, string, string, string, string][] = [
  ['Payments', '💳', 'payments', 'Error rate above 2 %', 'error'],
  ['Imports', '📥', 'finance', 'Nightly import finished: 214 parts, 0 skipped', 'success'],
  ['Sensor log', '🌡️', 'platform', 'Hall 4: 21.4 °C, 41 % humidity', 'default'],
  ['Extinguishers', '🧯', 'facilities', 'Two of 31 are past their date', 'warning'],
  ['Rollouts', '📈', 'platform', 'Dark mode reached 50 %', 'success'],
  ['Stand-ups', '☕', 'people', 'What everybody is at', 'default'],
]

export async function pictureScenes(server: TestServer): Promise<Scene[]> {
  const session = await makeSession(server)
  const { key } = await session<{ key: string }>('POST', '/api-keys', { name: 'Deploys', scope: 'full' })
  const api = makeApi({ ...server, api_key: key })
  const workspace = await session<{ id: string; slug: string }>('POST', '/workspaces', {
    name: 'Operations',
    icon: '🛰️',
  })
  const create = async (name: string, icon: string, team: string, fields = {}) =>
    (await api.createChannel(name, { icon, workspace_id: workspace.id, attributes: { team }, ...fields })).id
  const description = 'Builds, deploys and what people decide about them.'
  const train = await create('Release train', '🚆', 'platform', { description })
  for (const [name, icon, team, content, status] of OTHERS)
    await api.push(await create(name, icon, team), [text(content)], status)
  await session('PUT', `/workspaces/${workspace.id}/attribute-settings`, {
    key: 'team',
    use_as_filter: true,
    show_in_sidebar: true,
  })
  await session('PATCH', `/workspaces/${workspace.id}`, { layout: 'sidebar' })
  await fill(train, api, session)
  return [
    owner('picture-channel', async page => {
      await page.goto(`${server.url}/c/${train}`)
      await card(page, 'Release 2.5.0').getByText('Needs you').waitFor()
    }),
    owner('picture-workspace', async page => {
      await page.goto(`${server.url}/w/${workspace.slug}`)
      await linkStatus(page, 'live')
      await page.getByText('Needs you').first().waitFor()
    }),
    owner('picture-builder', async page => {
      await openBuilder(page, server, `?channel=${train}`)
      await takeExample(page, 'Deploy approval')
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await openRow(page, 'Buttons')
    }),
  ]
}

type Session = Awaited<ReturnType<typeof makeSession>>

async function fill(channel: string, api: Api, session: Session): Promise<void> {
  const press = (card_id: string, button_id: string, comment?: string) =>
    session('POST', `/channels/${channel}/interactions`, {
      card_id,
      trigger: { type: 'button_click', button_id, ...(comment && { comment }) },
    })
  await api.addAction(channel, 'New release', 'primary', 0)
  await api.addAction(channel, 'Freeze', 'secondary', 1)
  await api.push(channel, [text('Disk of db-3 is 91 % full'), badge('db-3')], 'warning')
  const choices = ['Approve', HOLD, REJECT]
  const before = [title('Release 2.4.0 is ready for production')]
  const asked = question({ comment: 'optional' }, ...choices)
  const { id: decided } = await api.push(channel, [...before, asked], 'success')
  await press(decided, 'approve', 'Dashboards are green, go.')
  const alert = [
    title('Payments: error rate above 2 %'),
    rows(['Service', 'payments-api'], ['Error rate', '2.3 %'], ['Since', '14:02 UTC']),
    buttons('Acknowledge', { id: 'silence', label: 'Silence for an hour', style: 'secondary' }),
  ]
  const { id: acknowledged } = await api.push(channel, alert, 'error')
  await press(acknowledged, 'acknowledge')
  await api.push(channel, [text('Image api:2.5.0 built in 3 min 12 s')], 'success')
  const facts = rows(
    ['Version', '2.4.0 → 2.5.0'],
    ['Changes', '14 commits'],
    ['Tests', '1,284 passed'],
    ['Canary', '5 % for 30 min'],
  )
  const members = question({ who: 'members', expires_in: 13 * 60 }, ...choices)
  await api.push(channel, [title('Release 2.5.0 is ready for production'), facts, members], 'pending')
  await api.push(channel, [text('Canary of api 2.5.0 serves 5 % of requests'), badge('canary')], 'pending')
}
