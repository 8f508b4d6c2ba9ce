// A small model of the service in memory. Each step calls the service and the model, and compares the responses with
// the model.
import { expect } from 'vitest'
import type { Block, KvRow } from '../../shared/block.ts'
import type { CardStatus } from '../../shared/card.ts'
import type { Call } from './service.ts'

export type ModelCard = { id: string; key?: string; status: CardStatus; content: string; rows: KvRow[] }
export type ModelAction = { id: string; label: string; style: string; position: number }
export type Head = { name: string; description: string | null; mode: string; icon: string }
export type ModelChannel = {
  id: string
  head: Head
  attributes: Map<string, string>
  actions: ModelAction[]
  cards: ModelCard[]
}
export type World = { workspace_id: string; channels: ModelChannel[] }

/** `at` and `card` choose among the existing ones. */
export type Step =
  | { kind: 'create'; name: string; attributes: Record<string, string> }
  | { kind: 'change'; at: number; head: Partial<Head> }
  | { kind: 'drop'; at: number }
  | { kind: 'push'; at: number; status: CardStatus; content: string; rows: KvRow[] }
  | { kind: 'put'; at: number; key: string; content: string; rows: KvRow[] }
  | { kind: 'patch'; at: number; card: number; patch: CardPatch }
  | { kind: 'fail'; at: number; card: number; status: CardStatus }
  | { kind: 'remove'; at: number; card: number }
  | { kind: 'add_action'; at: number; label: string; position: number }
  | { kind: 'remove_action'; at: number; action: number }
  | { kind: 'attribute'; at: number; attributes: Record<string, string> }

export type CardPatch = { status?: CardStatus; content?: string; append_rows?: KvRow[]; rows?: KvRow[] }

export const blocksOf = ({ content, rows }: { content: string; rows: KvRow[] }): Block[] => [
  { type: 'text', id: 't', content, size: 'md', bold: false },
  { type: 'kv', id: 'k', rows },
]

/** `call` goes below /api/v1 or /api; `session` always below /api. */
export async function perform(step: Step, world: World, call: Call, session: Call): Promise<void> {
  if (step.kind === 'create') return create(step, world, call)
  const channel = world.channels[step.at % Math.max(1, world.channels.length)]
  if (!channel) return
  const path = `/channels/${channel.id}`
  switch (step.kind) {
    case 'change': {
      Object.assign(channel.head, step.head)
      const answer = await call('PATCH', path, step.head)
      expect(answer).toMatchObject({ status: 200, body: { id: channel.id, ...channel.head } })
      return
    }
    case 'drop':
      world.channels.splice(world.channels.indexOf(channel), 1)
      expect(await call('DELETE', path)).toMatchObject({ status: 200, body: { deleted: true } })
      expect((await call('GET', path)).status).toBe(404)
      return
    case 'push': {
      const { status, content, rows } = step
      const answer = await call<{ id: string }>('POST', `${path}/cards`, { status, blocks: blocksOf(step) })
      expect(answer.status).toBe(201)
      channel.cards.push({ id: answer.body.id, status, content, rows })
      return
    }
    case 'put': {
      const known = channel.cards.find(({ key }) => key === step.key)
      const answer = await call<{ id: string }>('PUT', `${path}/cards/by-key/${step.key}`, {
        blocks: blocksOf(step),
      })
      expect(answer.status).toBe(known ? 200 : 201)
      const { key, content, rows } = step
      if (known) Object.assign(known, { status: 'default', content, rows })
      else channel.cards.push({ id: answer.body.id, key, status: 'default', content, rows })
      return
    }
    case 'add_action': {
      const { label, position } = step
      const answer = await call<ModelAction>('POST', `${path}/actions`, { label, position })
      expect(answer).toMatchObject({ status: 201, body: { label, position, style: 'primary' } })
      channel.actions.push({ id: answer.body.id, label, style: 'primary', position })
      channel.actions.sort((a, b) => a.position - b.position)
      return
    }
    case 'remove_action': {
      const action = channel.actions[step.action % Math.max(1, channel.actions.length)]
      if (!action) return
      channel.actions.splice(channel.actions.indexOf(action), 1)
      expect((await session('DELETE', `${path}/actions/${action.id}`)).status).toBe(204)
      return
    }
    case 'attribute':
      expect((await call('PUT', `${path}/attributes`, step.attributes)).status).toBe(200)
      apply(channel.attributes, step.attributes)
      return
    default:
      return performOnCard(step, channel, path, call)
  }
}

async function create(step: Extract<Step, { kind: 'create' }>, world: World, call: Call): Promise<void> {
  const { name, attributes } = step
  const answer = await call<{ id: string }>('POST', '/channels', {
    name,
    attributes,
    workspace_id: world.workspace_id,
  })
  expect(answer).toMatchObject({ status: 201, body: { name, workspace_id: world.workspace_id } })
  const channel: ModelChannel = {
    id: answer.body.id,
    head: { name, description: null, mode: 'view', icon: '📡' },
    attributes: new Map(),
    actions: [],
    cards: [],
  }
  apply(channel.attributes, attributes)
  world.channels.push(channel)
}

async function performOnCard(
  step: Extract<Step, { kind: 'patch' | 'fail' | 'remove' }>,
  channel: ModelChannel,
  channelPath: string,
  call: Call,
): Promise<void> {
  const card = channel.cards[step.card % Math.max(1, channel.cards.length)]
  if (!card) return
  const byKey = card.key !== undefined && step.card % 2 === 0
  const path = `${channelPath}/cards/${byKey ? `by-key/${card.key}` : card.id}`
  if (step.kind === 'remove') {
    channel.cards.splice(channel.cards.indexOf(card), 1)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
    return
  }
  if (step.kind === 'fail') {
    const blocks = [
      { id: 't', patch: { content: 'not applied' } },
      { id: 'none', patch: {} },
    ]
    const answer = await call('PATCH', path, { status: step.status, blocks })
    expect(answer).toMatchObject({ status: 400, body: { error: 'blocks[1]: no block with id "none"' } })
    return
  }
  const { status, content, append_rows, rows } = step.patch
  const blocks = [
    ...(content === undefined ? [] : [{ id: 't', patch: { content } }]),
    ...(rows === undefined ? [] : [{ id: 'k', patch: { rows } }]),
    ...(append_rows === undefined ? [] : [{ id: 'k', patch: { append_rows } }]),
  ]
  if (status !== undefined) card.status = status
  if (content !== undefined) card.content = content
  card.rows = [...(rows ?? card.rows), ...(append_rows ?? [])]
  const answer = await call('PATCH', path, { ...(status && { status }), blocks })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ id: card.id, status: card.status, blocks: blocksOf(card) })
}

function apply(attributes: Map<string, string>, given: Record<string, string>): void {
  const merged = new Map(Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]))
  for (const [key, value] of merged) {
    if (value === '') attributes.delete(key)
    else attributes.set(key, value)
  }
}
