// Viewers of a workspace's page get what they don't have yet, and nothing else.
import { expect, test } from 'vitest'
import {
  afterActivity,
  afterPage,
  groupOf,
  listedOn,
  messagesSince,
} from '../../server/live-workspace/page-versions.ts'
import type { ReadSummary } from '../../server/model/channel-summary.ts'
import type { PageRead, PageViewer } from '../../server/model/workspace-page.ts'
import type { Decision } from '../../shared/decision.ts'

/** No card, no question, and no failed delivery. */
const QUIET: ReadSummary = {
  last_card: null,
  questions: { is_interactive: true, asked: [] },
  webhook: { failed: 0, of: 0 },
}
const askedOf = (who: Decision['who'], count = 1, listed: Record<string, number> | null = null) => ({
  questions: { is_interactive: true, asked: [{ who, count, listed }] },
})

type Counts = Record<string, [newest_position: number | null, card_count: number]>

/** A page whose channels are named by their ids. */
function read(counts: Counts, name = 'Team', access_version = 1): PageRead {
  const channels = Object.entries(counts).map(([id, [, card_count]]) => ({
    id,
    name: id,
    description: null,
    icon: '📡',
    mode: 'view' as const,
    card_count,
    attributes: {},
    ...QUIET,
  }))
  const workspace = {
    id: 'w',
    name,
    slug: 'team',
    custom_slug: null,
    icon: '🏢',
    visibility: 'private' as const,
    layout: 'sidebar' as const,
    show_search: true,
  }
  return {
    page: { workspace, channels, attribute_settings: [], owner_name: 'Ann' },
    activity: activityOf(counts),
    access_version,
  }
}

const activityOf = (counts: Counts) =>
  new Map(
    Object.entries(counts).map(([id, [newest_position, card_count]]) => [
      id,
      { newest_position, card_count, ...QUIET },
    ]),
  )

const VIEWER: PageViewer = { user_id: null, role: null, can_edit: false, can_act: true }
const OWNER: PageViewer = { user_id: 'ann', role: 'owner', can_edit: true, can_act: true }

const kinds = (...args: Parameters<typeof messagesSince>) =>
  messagesSince(...args).map(message =>
    message.type === 'activity' ? Object.keys(message.channels).join(' ') : message.type,
  )

const first = afterPage(null, read({ a: [null, 0], b: [4, 5] }))

test('a new viewer gets the page and all activity, even without channels', () => {
  expect(kinds(first, 0, VIEWER)).toEqual(['page', 'a b'])
  expect(kinds(afterPage(null, read({})), 0, VIEWER)).toEqual(['page', ''])
})

test('a viewer with the present version gets nothing', () => {
  expect(kinds(first, first.version, VIEWER)).toEqual([])
})

test('the page has the viewer’s right to edit it', () => {
  const right = ({ user_id: _, ...shown }: PageViewer) => shown
  expect(messagesSince(first, 0, OWNER)[0]).toMatchObject({ page: { ...right(OWNER), owner_name: 'Ann' } })
  expect(messagesSince(first, 0, VIEWER)[0]).toMatchObject({ page: right(VIEWER) })
  expect(messagesSince(first, 0, OWNER)[0]).not.toHaveProperty('page.user_id')
  expect(messagesSince(first, 0, VIEWER)[0]).not.toHaveProperty('page.owner_name')
})

test('reading the same page again makes no new version', () => {
  expect(afterPage(first, read({ a: [null, 0], b: [4, 5] }))).toBe(first)
  expect(afterActivity(first, activityOf({ a: [null, 0] }))).toBe(first)
  expect(afterActivity(first, new Map())).toBe(first)
})

test('changed counts send the activity of their channels only', () => {
  for (const next of [
    afterActivity(first, activityOf({ a: [0, 1] })),
    afterPage(first, read({ a: [0, 1], b: [4, 5] })),
  ]) {
    expect(messagesSince(next, first.version, VIEWER)).toEqual([
      {
        type: 'activity',
        channels: { a: { newest_position: 0, card_count: 1, last_card: null, waiting: 0, needs_you: 0 } },
      },
    ])
    expect(next.page.channels.map(({ card_count }) => card_count)).toEqual([1, 5])
  }
})

test('any other change sends the page and the changed activity', () => {
  expect(kinds(afterPage(first, read({ a: [null, 0], b: [4, 5] }, 'Acme')), first.version, VIEWER)).toEqual([
    'page',
  ])
  expect(
    kinds(afterPage(first, read({ a: [null, 0], b: [4, 5], c: [0, 1] })), first.version, VIEWER),
  ).toEqual(['page', 'c'])
  expect(kinds(afterPage(first, read({ b: [4, 5] })), first.version, VIEWER)).toEqual(['page'])
})

test('a new card, question or delivery sends the activity only', () => {
  const now = { newest_position: 4, card_count: 5, ...QUIET }
  const last_card = {
    id: 'card',
    status: 'error' as const,
    text: 'Failed',
    created_at: '2026-11-23T00:00:00.000Z',
  }
  const { questions: _, ...counts } = { ...now, waiting: 0, needs_you: 0 }
  const webhook = { failed: 1, of: 1 }
  for (const [change, shown] of [
    [{ last_card }, { last_card }],
    [askedOf('owner'), { waiting: 1, needs_you: 1 }],
    [{ webhook }, { webhook }],
  ]) {
    const next = afterActivity(first, new Map([['b', { ...now, ...change }]]))
    expect(messagesSince(next, first.version, OWNER)).toEqual([
      { type: 'activity', channels: { b: { ...counts, ...shown } } },
    ])
    expect(next.page.channels[1]).toMatchObject({ ...change })
    expect(kinds(next, 0, OWNER)).toEqual(['page', 'a b'])
  }
})

test('a delivery sends nothing to other viewers', () => {
  const activity = { newest_position: 4, card_count: 5, ...QUIET }
  const second = afterActivity(first, new Map([['b', { ...activity, webhook: { failed: 1, of: 1 } }]]))
  expect(kinds(second, first.version, OWNER)).toEqual(['b'])
  expect(kinds(second, first.version, VIEWER)).toEqual([])
  const third = afterActivity(second, new Map([['b', { ...activity, ...askedOf('owner') }]]))
  expect(kinds(third, first.version, VIEWER)).toEqual(['b'])
})

test('each viewer gets the number of questions that they may decide', () => {
  const bob: PageViewer = { ...VIEWER, user_id: 'bob' }
  const now = { newest_position: 4, card_count: 5, ...QUIET }
  const next = afterActivity(
    first,
    new Map([['b', { ...now, ...askedOf('listed', 3, { bob: 2, cleo: 3 }) }]]),
  )
  const sent = (viewer: PageViewer) => {
    const [page, activity] = messagesSince(next, 0, viewer)
    const channel = page?.type === 'page' ? page.page.channels[1] : undefined
    const counted = activity?.type === 'activity' ? activity.channels.b : undefined
    expect(channel).toMatchObject({ waiting: 3, needs_you: counted?.needs_you })
    return counted?.needs_you
  }
  expect([VIEWER, OWNER, bob].map(sent)).toEqual([0, 0, 2])
})

test('viewers share messages, unless a question lists them or they have another right', () => {
  const [bob, cleo] = ['bob', 'cleo'].map(user_id => ({ ...VIEWER, user_id }))
  const groups = (listed: ReadonlySet<string>) =>
    [VIEWER, bob, cleo, { ...bob, can_act: false }, { ...bob, role: 'member' as const }].map(viewer =>
      groupOf({ ...VIEWER, ...viewer }, listed),
    )
  expect(new Set(groups(new Set())).size).toBe(4)
  const now = { newest_position: 4, card_count: 5, ...QUIET }
  const next = afterActivity(first, new Map([['b', { ...now, ...askedOf('listed', 1, { bob: 1 }) }]]))
  expect(listedOn(next)).toEqual(new Set(['bob']))
  expect(new Set(groups(listedOn(next))).size).toBe(5)
})

test('only the owner gets how the webhook is doing', () => {
  for (const can_edit of [true, false]) {
    const text = JSON.stringify(messagesSince(first, 0, can_edit ? OWNER : VIEWER))
    expect([can_edit, text.includes('"webhook"')]).toEqual([can_edit, can_edit])
  }
})

test('a change of access sends the page, even if it looks the same', () => {
  expect(
    kinds(afterPage(first, read({ a: [null, 0], b: [4, 5] }, 'Team', 2)), first.version, VIEWER),
  ).toEqual(['page'])
})

test('a viewer that missed versions gets all their changes once', () => {
  const second = afterActivity(first, activityOf({ a: [0, 1] }))
  const third = afterActivity(second, activityOf({ a: [1, 2], b: [5, 6] }))
  const fourth = afterPage(third, read({ a: [1, 2], b: [5, 6] }, 'Acme'))
  expect(kinds(third, first.version, VIEWER)).toEqual(['a b'])
  expect(kinds(fourth, first.version, VIEWER)).toEqual(['page', 'a b'])
  expect(kinds(fourth, third.version, VIEWER)).toEqual(['page'])
})

test('channels that the page does not list are left out', () => {
  expect(afterActivity(first, activityOf({ z: [0, 1] }))).toBe(first)
})
