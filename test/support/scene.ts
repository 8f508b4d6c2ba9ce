// An interactive channel with a card of every block type.
import { type Account, accountAt, createAccount } from './account.ts'
import { createChannel } from './channels.ts'
import { callTo, create, type TestService } from './service.ts'

export type LoggedInteraction = {
  interaction_id: string
  channel_id: string
  card_id: string | null
  timestamp: string
  trigger: Record<string, unknown>
  card_state: Record<string, unknown>[] | null
}

export type Scene = ReturnType<typeof sceneAt>

export const everyBlock = [
  { type: 'text', id: 'text', content: 'Ready?', size: 'lg', bold: true },
  { type: 'badge', id: 'badge', label: 'Waiting', variant: 'pending' },
  { type: 'kv', id: 'kv', rows: [{ key: 'Host', value: 'web-1' }] },
  {
    type: 'button',
    id: 'buttons',
    buttons: [
      { id: 'go', label: 'Deploy', style: 'primary', confirm: 'Sure?' },
      { id: 'off', label: 'Not now', disabled: true },
    ],
  },
  { type: 'image', id: 'image', url: 'https://example.com/graph.png', alt: 'A graph' },
  { type: 'divider', id: 'line' },
  { type: 'input', id: 'note', label: 'Note', send_on_change: true, max_length: 20 },
  { type: 'select', id: 'region', label: 'Region', options: ['eu', 'us'], send_on_change: true },
  { type: 'multiselect', id: 'teams', options: ['red', 'blue'], value: ['red'], send_on_change: true },
  { type: 'toggle', id: 'canary', label: 'Canary', value: true, send_on_change: true },
]

/** The card's state in an interaction, in the order of the specification, with these entered values. */
export const stateWith = (values: Record<string, unknown>) =>
  state.map(block => (block.id in values ? { ...block, value: values[block.id] } : block))

const state = [
  { id: 'text', type: 'text', content: 'Ready?' },
  { id: 'badge', type: 'badge', label: 'Waiting', variant: 'pending' },
  { id: 'kv', type: 'kv', rows: [{ key: 'Host', value: 'web-1' }] },
  {
    id: 'buttons',
    type: 'button',
    buttons: [
      { id: 'go', label: 'Deploy', style: 'primary' },
      { id: 'off', label: 'Not now', style: 'primary' },
    ],
  },
  { id: 'image', type: 'image', url: 'https://example.com/graph.png', alt: 'A graph' },
  { id: 'line', type: 'divider' },
  { id: 'note', type: 'input', label: 'Note', value: '' },
  { id: 'region', type: 'select', label: 'Region', value: null },
  { id: 'teams', type: 'multiselect', value: ['red'] },
  { id: 'canary', type: 'toggle', label: 'Canary', value: true },
]

export type SceneFields = {
  webhook_url?: string | null
  mode?: 'view' | 'interactive'
  blocks?: object[]
  visibility?: 'public' | 'protected' | 'private'
  account?: Account
}

export const PASSWORD = 'open sesame'

export async function buildScene(service: TestService, fields: SceneFields = {}): Promise<Scene> {
  const { mode = 'interactive', visibility = 'public', blocks = everyBlock } = fields
  const account = fields.account ?? (await createAccount(service))
  await account.session('PATCH', `/workspaces/${account.workspace_id}`, { visibility, password: PASSWORD })
  const { webhook_url = null } = fields
  const channel_id = await createChannel(account, { name: 'Deployments', mode, webhook_url })
  const { id: card_id } = await create(account.key, `/channels/${channel_id}/cards`, { blocks })
  const { id: action_id } = await create(account.key, `/channels/${channel_id}/actions`, { label: 'Refresh' })
  return sceneAt(service, { account, channel_id, card_id, action_id })
}

type Ids = { account: Account; channel_id: string; card_id: string; action_id: string }

/** The same scene on another instance. */
export function sceneAt(service: { url: string }, { account, channel_id, card_id, action_id }: Ids) {
  const anyone = callTo(`${service.url}/api`)
  /** An anonymous viewer sends an interaction. */
  const interact = (body: object, headers?: Record<string, string>) =>
    anyone<LoggedInteraction>('POST', `/channels/${channel_id}/interactions`, body, headers)
  return {
    account: accountAt(service, account),
    channel_id,
    card_id,
    action_id,
    interact,
    click: (more?: object) =>
      interact({ card_id, trigger: { type: 'button_click', button_id: 'go' }, ...more }),
    reply: (text: string, more?: object) => interact({ trigger: { type: 'reply', text }, ...more }),
  }
}
