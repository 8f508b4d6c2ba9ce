// Values that the examples of the OpenAPI document share.

export const WORKSPACE_ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
export const CHANNEL_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const CARD_ID = '3d813cbb-47fb-42ba-91df-831e1593ac29'
export const ACTION_ID = '9b2c3a54-6d5e-4f0a-8a54-3c1f5e0b7d21'
export const INTERACTION_ID = 'b5a1c2d3-e4f5-4a6b-8c7d-9e0f1a2b3c4d'
export const CREATED_AT = '2026-01-31T12:00:00.000Z'
export const UPDATED_AT = '2026-01-31T12:04:30.000Z'

export const newDeployment = {
  status: 'pending',
  blocks: [
    { type: 'text', id: 'title', content: 'Deploy 142 is ready', size: 'lg', bold: true },
    { type: 'kv', id: 'facts', rows: [{ key: 'Branch', value: 'main' }] },
    {
      type: 'button',
      id: 'actions',
      buttons: [{ id: 'ship', label: 'Ship it', confirm: 'Ship to production?' }],
    },
  ],
}

export const newForm = {
  blocks: [
    { type: 'text', content: 'A visitor asks for access' },
    { type: 'badge', label: 'new', variant: 'info' },
    { type: 'image', url: 'https://example.com/visitor.png', alt: 'The visitor' },
    { type: 'divider' },
    { type: 'input', id: 'note', label: 'Note', placeholder: 'Why?', multiline: true, max_length: 500 },
    { type: 'select', id: 'role', label: 'Role', options: ['Guest', { value: 'admin', label: 'Admin' }] },
    { type: 'multiselect', id: 'rooms', label: 'Rooms', options: ['Lab', 'Office'], value: ['Office'] },
    { type: 'toggle', id: 'badge', label: 'Print a badge', value: true, send_on_change: true },
    { type: 'kv', rows: [{ key: 'Company', value: 'Example Ltd' }] },
    { type: 'button', buttons: [{ label: 'Approve' }, { label: 'Decline', style: 'danger' }] },
  ],
}

const branch = { key: 'Branch', value: 'main' }
const ship = {
  id: 'ship',
  label: 'Ship it',
  style: 'primary',
  disabled: false,
  confirm: 'Ship to production?',
}

export const shippedBlocks = [
  newDeployment.blocks[0],
  { type: 'kv', id: 'facts', rows: [branch, { key: 'Shipped by', value: 'Ann' }] },
  { type: 'button', id: 'actions', buttons: [{ ...ship, label: 'Shipped', disabled: true }] },
]

export const deployment = {
  id: CARD_ID,
  channel_id: CHANNEL_ID,
  status: 'pending',
  blocks: [...newDeployment.blocks.slice(0, 2), { type: 'button', id: 'actions', buttons: [ship] }],
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  key: 'deploy-142',
}

export const click = {
  interaction_id: INTERACTION_ID,
  channel_id: CHANNEL_ID,
  card_id: CARD_ID,
  timestamp: UPDATED_AT,
  trigger: { type: 'button_click', button_id: 'ship', label: 'Ship it' },
  card_state: [
    { id: 'title', type: 'text', content: 'Deploy 142 is ready' },
    { id: 'facts', type: 'kv', rows: [branch] },
    { id: 'actions', type: 'button', buttons: [{ id: 'ship', label: 'Ship it', style: 'primary' }] },
  ],
}

export const DECISION_ID = '5b1c7a90-3e64-4d1f-9a52-8c0d7e6f4b3a'

/** Cut: a signature has about 1,300 characters. */
const JWS = 'eyJhbGciOiJFZERTQSIsImtpZCI6….eyJ2IjoxLCJpc3MiOiJodHRwczov….sVtZ5M0bX1Yd4nQ2…'

const asked = {
  key: 'release-2.4.0',
  asked_at: CREATED_AT,
  expires_at: '2026-01-31T13:00:00.000Z',
  who: 'anyone',
  agents: false,
  comment: 'optional',
  if_changed: 'accept',
  approves: 'ship',
  abandon: 'keep',
}

const question = {
  ...asked,
  reason: null,
  channel_id: CHANNEL_ID,
  card_id: CARD_ID,
  block_id: 'actions',
  choices: [{ id: 'ship', label: 'Ship it', style: 'primary' }],
  asked_by: { kind: 'agent', name: 'Release script' },
  url: `https://feed.example.com/c/${CHANNEL_ID}?card=${CARD_ID}`,
}

export const waiting = {
  id: '0d9f5c3e-7a21-4b86-8e4f-1c2d3b4a5f60',
  ...question,
  state: 'waiting',
  ended_at: null,
  outcome: null,
}

export const decided = {
  id: DECISION_ID,
  ...question,
  state: 'decided',
  ended_at: UPDATED_AT,
  outcome: {
    button_id: 'ship',
    label: 'Ship it',
    by: { kind: 'owner', name: 'Ann', user_id: 'c0a8012e-4f6d-4b8a-9d3e-2f1a0b9c8d7e', api_key_id: null },
    comment: 'The tests are green.',
    timestamp: UPDATED_AT,
    interaction_id: INTERACTION_ID,
    values: {},
    seen: CREATED_AT,
    card_updated_at: CREATED_AT,
    jws: JWS,
  },
}

export const signed = {
  jws: JWS,
  card: {
    v: 1,
    channel_id: CHANNEL_ID,
    card_id: CARD_ID,
    status: 'pending',
    blocks: [
      { type: 'text', id: 'title', content: 'Deploy 142 is ready', size: 'lg', bold: true },
      {
        type: 'button',
        id: 'actions',
        buttons: [{ id: 'ship', label: 'Ship it', style: 'primary', disabled: false }],
        decision: { id: DECISION_ID, ...asked },
      },
    ],
  },
  values: null,
}

export const expired = { ...waiting, state: 'expired', ended_at: waiting.expires_at }

export const withdrawn = { ...waiting, state: 'cancelled', ended_at: UPDATED_AT, reason: 'withdrawn' }

export const reply = {
  interaction_id: 'e1d2c3b4-a596-4877-9681-0f1e2d3c4b5a',
  channel_id: CHANNEL_ID,
  card_id: null,
  timestamp: UPDATED_AT,
  trigger: { type: 'reply', text: 'Please wait for the tests.' },
  card_state: null,
}
