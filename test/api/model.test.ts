// Random sequences of API calls, over two instances, by key and by session, compared with a small model.
// SEED repeats a run; TEST_RUNS sets the number of runs.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CARD_STATUSES } from '../../shared/limits.ts'
import { createAccount, createTestWorkspace, withKey } from '../support/account.ts'
import { forAllAsync } from '../support/for-all.ts'
import { blocksOf, type ModelChannel, perform, type Step, type World } from '../support/model.ts'
import { runInstance, runService } from '../support/running.ts'
import { type Call, callTo } from '../support/service.ts'

const RUNS = Number(process.env.TEST_RUNS ?? 12)

const service = await runService({ WORKSPACE_LIMIT: '0' })
const other = await runInstance(service, { WORKSPACE_LIMIT: '0' })
const ann = await createAccount(service)
const calls: Call[] = [
  ann.key,
  withKey(other.url, ann.api_key),
  ann.session,
  callTo(`${other.url}/api`, { Cookie: ann.cookie }),
]

const at = fc.nat(20)
const card = fc.nat(20)
const status = fc.constantFrom(...CARD_STATUSES)
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(value => !value.includes('\0'))
const name = fc.constantFrom('Deploys', 'Ünïcode 😀', 'x'.repeat(80), '0')
const row = fc.record({ key: text, value: text })
const rows = fc.array(row, { maxLength: 3 })
const attributes = fc.dictionary(
  fc.constantFrom('a', 'A', 'b', 'Ä', '__proto__', '1'),
  fc.constantFrom('', 'x', 'y'),
  { noNullPrototype: true },
)
const head = fc.record(
  {
    name,
    description: fc.option(text),
    mode: fc.constantFrom('view', 'interactive'),
    icon: fc.constantFrom('🚀', '👩‍🚀', '🇩🇪'),
  },
  { requiredKeys: [] },
)
const patch = fc.record({ status, content: text, append_rows: rows, rows }, { requiredKeys: [] })
const key = fc.constantFrom('k1', 'k2', 'k%2F%20%C3%A4')
const content = text

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), name, attributes }),
  fc.record({ kind: fc.constant('change' as const), at, head }),
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), at }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('push' as const), at, status, content, rows }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put' as const), at, key, content, rows }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('patch' as const), at, card, patch }) },
  fc.record({ kind: fc.constant('fail' as const), at, card, status }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at, card }) },
  fc.record({
    kind: fc.constant('add_action' as const),
    at,
    label: fc.constantFrom('A', 'B'),
    position: fc.integer({ min: -1, max: 1 }),
  }),
  fc.record({ kind: fc.constant('remove_action' as const), at, action: at }),
  fc.record({ kind: fc.constant('attribute' as const), at, attributes }),
)

/** Both instances return the same as the model. */
async function compare(world: World): Promise<void> {
  for (const [key_call, session] of [
    [calls[0], calls[2]],
    [calls[1], calls[3]],
  ]) {
    if (!key_call || !session) throw new Error('four callers')
    const list = await key_call<Record<string, unknown>[]>(
      'GET',
      `/channels?workspace_id=${world.workspace_id}`,
    )
    expect(list.body.map(({ id, card_count }) => [id, card_count])).toEqual(
      world.channels.map(({ id, cards }) => [id, cards.length]),
    )
    for (const channel of world.channels) await compareChannel(channel, key_call, session)
  }
}

async function compareChannel(channel: ModelChannel, call: Call, session: Call): Promise<void> {
  const path = `/channels/${channel.id}`
  const read = await call('GET', path)
  expect(read.body).toMatchObject({ ...channel.head, actions: channel.actions })
  const { body: view } = await session<{ channel: object }>('GET', `${path}/view`)
  expect(view.channel).toMatchObject({ ...channel.head, actions: channel.actions })
  const { created_at: _, updated_at: __, ...attributes } = (await call('GET', `${path}/attributes`)).body
  expect(new Map(Object.entries(attributes))).toEqual(channel.attributes)

  const expected = channel.cards.map(card => ({
    id: card.id,
    status: card.status,
    blocks: blocksOf(card),
    ...(card.key !== undefined && { key: decodeURIComponent(card.key) }),
  }))
  const { body: listed } = await call<{ cards: object[] }>('GET', `${path}/cards?limit=200`)
  expect(listed.cards.toReversed()).toMatchObject(expected)
  expect(listed.cards).toHaveLength(expected.length)
  const { body: page } = await session<{ cards: object[] }>('GET', `${path}/pages/0`)
  expect(page.cards.map(({ position: __, ...card }: { position?: number }) => card)).toStrictEqual(
    listed.cards.toReversed(),
  )
}

test('rows, document and responses equal the model', async () => {
  const sequence = fc.array(fc.tuple(step, fc.nat(3)), { minLength: 20, maxLength: 60, size: 'max' })
  await forAllAsync(
    sequence,
    async steps => {
      const world: World = { workspace_id: await createTestWorkspace(ann.session), channels: [] }
      for (const name of ['first', 'second'])
        await perform({ kind: 'create', name, attributes: {} }, world, ann.key, ann.session)
      for (const [i, [next, by]] of steps.entries()) {
        await perform(next, world, calls[by] ?? ann.key, ann.session)
        if (i % 20 === 19) await compare(world)
      }
      await compare(world)
      await ann.session('DELETE', `/workspaces/${world.workspace_id}`)
    },
    RUNS,
  )
}, 180_000)
