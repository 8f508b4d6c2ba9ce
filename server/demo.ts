// The demo that the first start creates: an owner, a workspace and an interactive channel with sample cards.
import { randomBytes, randomUUID } from 'node:crypto'
import { createCardBody } from '../shared/card.ts'
import { createChannelBody } from '../shared/channel.ts'
import { parse } from '../shared/invalid.ts'
import { hashPassword } from './auth/passwords.ts'
import { createApiKey } from './model/api-keys.ts'
import { createChannel } from './model/channels.ts'
import { readInquiry } from './model/questions.ts'
import { createUser } from './model/users.ts'
import { createWorkspace } from './model/workspaces.ts'
import { utcDay } from './rate-limit.ts'
import type { Service } from './service.ts'

type Demo = { email: string; password: string; api_key: string; channel_id: string }

/** Returns null if there is a user already. */
export async function createDemo({ sql, feeds, quota, url }: Service): Promise<Demo | null> {
  const [user] = await sql`select 1 from users limit 1`
  if (user) return null
  const email = 'owner@example.com'
  const password = randomBytes(9).toString('base64url')
  const password_hash = await hashPassword(password, email)
  const owner = await createUser(sql, { email, name: 'Owner', password_hash })
  const workspace = await createWorkspace(sql, owner.id, { name: 'Demo', icon: '🏢' }, null)
  const settings = parse(createChannelBody, {
    name: 'Deployments',
    workspace_id: workspace.id,
    description: 'What automations report, and how people respond.',
    mode: 'interactive',
    icon: '🚀',
  })
  const channel = await createChannel(sql, owner.id, settings, null, Date.now(), () => undefined)
  const { key } = await createApiKey(sql, owner.id, {
    name: 'Demo',
    scope: 'full',
    workspace_id: null,
    expires_at: null,
  })
  for (const card of cardsAt(url)) {
    const { questions, ...plain } = parse(createCardBody, card)
    const mutation = { kind: 'insert' as const, id: randomUUID(), ...plain }
    const caller = { user_id: owner.id, key_id: null, owner: true }
    const inquiry = questions && (await readInquiry(sql, questions, caller, null))
    await feeds.get(channel.id).writer.write({
      mutation: inquiry ? { ...mutation, inquiry } : mutation,
      owner_id: owner.id,
    })
  }
  // The samples don't count toward the owner's daily limits.
  await sql`update daily_usage set cards = 0, channels = 0, bytes = 0 where user_id = ${owner.id}`
  await quota.refresh(owner.id, utcDay(Date.now()))
  return { email, password, api_key: key, channel_id: channel.id }
}

export function welcome(url: string, { email, password, api_key, channel_id }: Demo): string {
  const card = JSON.stringify({ blocks: [{ type: 'text', content: 'Hello from curl' }], status: 'success' })
  return `
  Open     ${url}/c/${channel_id}
  Sign in  ${email}  ${password}
  API key  ${api_key}

  Push a card:

  curl -X POST ${url}/api/v1/channels/${channel_id}/cards \\
    -H 'Authorization: Bearer ${api_key}' \\
    -H 'Content-Type: application/json' \\
    -d '${card}'

  These lines are shown once.
`
}

const title = (content: string) => ({ type: 'text', content, size: 'lg', bold: true })
const badge = (label: string, variant: string) => ({ type: 'badge', label, variant })
const table = (rows: Record<string, string>) => ({
  type: 'kv',
  rows: Object.entries(rows).map(([key, value]) => ({ key, value })),
})

const cardsAt = (url: string) => [
  {
    blocks: [
      { ...title('Welcome to Channel Feed'), size: 'xl' },
      {
        type: 'text',
        content:
          'Push cards over REST: they appear here at once, on every screen.\nChange and delete them the same way; what you have typed stays.',
      },
      { type: 'divider' },
      table({
        'Block types': 'text, badge, kv, button, image, divider, input, select, multiselect, toggle',
        'Works offline': 'yes',
      }),
    ],
  },
  {
    status: 'error',
    blocks: [
      title('Payments: error rate above 2 %'),
      badge('Firing', 'error'),
      table({ Service: 'payments-api', 'Error rate': '3.4 %', Since: '14:02 UTC' }),
      {
        type: 'button',
        buttons: [
          { id: 'ack', label: 'Acknowledge' },
          { id: 'silence', label: 'Silence for 1 h', style: 'secondary' },
        ],
      },
    ],
  },
  { status: 'success', blocks: [title('Nightly backup finished'), badge('12 GB in 4 min', 'success')] },
  {
    status: 'pending',
    blocks: [
      title('Release 2.4.0 waits for approval'),
      badge('Waiting', 'pending'),
      { type: 'image', url: `${url}/example.svg`, alt: 'Orders by hour since the first servers run it' },
      { type: 'select', label: 'Roll out to', options: ['5 %', '25 %', '100 %'], value: '5 %' },
      {
        type: 'multiselect',
        label: 'Regions',
        options: [
          { value: 'eu', label: 'Europe' },
          { value: 'us', label: 'North America' },
          { value: 'ap', label: 'Asia Pacific' },
        ],
        value: ['eu'],
      },
      { type: 'toggle', label: 'Notify the team', value: true },
      { type: 'input', label: 'Note', placeholder: 'Why now?', multiline: true },
      {
        type: 'button',
        buttons: [
          { id: 'approve', label: 'Approve' },
          { id: 'reject', label: 'Reject', style: 'danger', confirm: 'Reject release 2.4.0?' },
        ],
        decision: { approves: 'approve', comment: 'optional' },
      },
    ],
  },
  {
    status: 'warning',
    blocks: [
      title('Certificate of api.example.com expires in 9 days'),
      badge('Renewal scheduled', 'warning'),
    ],
  },
]
