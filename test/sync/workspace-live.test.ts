// An open workspace page gets all changes, from every caller and every instance.
import { beforeEach, describe, expect, test } from 'vitest'
import type { ViewedWorkspace } from '../../shared/workspace-live.ts'
import { type Account, createAccount } from '../support/account.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { cutNotices } from '../support/database.ts'
import { openPage } from '../support/open-page.ts'
import { runInstance, runService } from '../support/running.ts'
import { until } from '../support/viewer.ts'

let ahead = 0
let ann: Account

const here = await runService({ WORKSPACE_LIMIT: '0' }, { elapsed: () => performance.now() + ahead })
const there = await runInstance(here)
beforeEach(async () => {
  ahead = 0
  ann = await createAccount(here)
})

const open = (url = here.url, cookie = ann.cookie) => openPage(url, ann.slug, cookie)
const addCard = (channel_id: string) => pushCard(ann.key, `/channels/${channel_id}/cards`)
const bySlug = async () => (await ann.session<ViewedWorkspace>('GET', `/workspaces/by-slug/${ann.slug}`)).body

/** Of a channel without cards, questions and webhook, for its owner. */
const QUIET = { last_card: null, waiting: 0, needs_you: 0, webhook: null }

describe('a new viewer', () => {
  test('a viewer gets the page, as by-slug returns it, and then the activity of all channels', async () => {
    const quiet = await createChannel(ann, { attributes: { team: 'web' } })
    const busy = await createChannel(ann)
    await addCard(busy)
    await ann.key('DELETE', await addCard(busy))
    const page = await open()
    expect(page.messages()).toEqual([
      { type: 'page', page: await bySlug() },
      {
        type: 'activity',
        channels: {
          [quiet]: { newest_position: null, card_count: 0, ...QUIET },
          [busy]: {
            newest_position: 0,
            card_count: 1,
            ...QUIET,
            last_card: expect.objectContaining({ text: 'Hello' }),
          },
        },
      },
    ])
  })

  test('a later viewer gets the whole page at once, with its own right', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const channel_id = await createChannel(ann)
    const owner = await open()
    await addCard(channel_id)
    await owner.counts(channel_id, 1)
    const guest = await open(here.url, '')
    expect(owner.shows()?.can_edit).toBe(true)
    const { webhook: _, ...activity } = owner.activity()[channel_id] ?? {}
    const { channels, owner_name: _name, ...page } = await bySlug()
    const shown = channels.map(({ webhook: _, ...channel }) => channel)
    expect(guest.shows()).toEqual({ ...page, channels: shown, role: null, can_edit: false })
    expect(guest.activity()).toEqual({ [channel_id]: activity })
  })
})

const patch = (fields: object) => patchWorkspace(ann, fields)
const settings = () => `/workspaces/${ann.workspace_id}/attribute-settings`
const own = () => `own-${ann.slug}`
const team = { key: 'team', use_as_filter: true }
const described = { description: 'New', icon: '🔔', mode: 'interactive' }

type Change = [
  what: string,
  change: (channel_id: string) => Promise<unknown>,
  done: (page: ViewedWorkspace, channel: ViewedWorkspace['channels'][number] | undefined) => boolean,
]
const changes: Change[] = [
  ['the workspace’s name', () => patch({ name: 'Acme' }), page => page.workspace.name === 'Acme'],
  ['its icon', () => patch({ icon: '🚀' }), page => page.workspace.icon === '🚀'],
  ['its layout', () => patch({ layout: 'grid' }), page => page.workspace.layout === 'grid'],
  ['its search', () => patch({ show_search: false }), page => !page.workspace.show_search],
  ['its visibility', () => patch({ visibility: 'public' }), page => page.workspace.visibility === 'public'],
  ['its custom slug', () => patch({ custom_slug: own() }), page => page.workspace.custom_slug === own()],
  [
    'a new channel',
    () => createChannel(ann, { name: 'Second' }),
    ({ channels }) => channels.length === 2 && channels[1]?.name === 'Second',
  ],
  [
    'a deleted channel',
    id => succeeds(ann.key('DELETE', `/channels/${id}`)),
    page => page.channels.length === 0,
  ],
  [
    'a channel’s name',
    id => succeeds(ann.key('PATCH', `/channels/${id}`, { name: 'Renamed' })),
    (_, channel) => channel?.name === 'Renamed',
  ],
  [
    'a channel’s description, icon and mode',
    id => succeeds(ann.session('PATCH', `/channels/${id}`, described)),
    (_, channel) => channel?.description === 'New' && channel.icon === '🔔' && channel.mode === 'interactive',
  ],
  [
    'an attribute',
    id => succeeds(ann.key('PUT', `/channels/${id}/attributes`, { team: 'web', Env: 'prod' })),
    (page, channel) => channel?.attributes.team === 'web' && page.attribute_settings.length === 2,
  ],
  [
    'an attribute’s setting',
    () => succeeds(ann.session('PUT', settings(), team)),
    page => page.attribute_settings.some(({ key, use_as_filter }) => key === 'team' && use_as_filter),
  ],
]

async function succeeds(call: Promise<{ status: number }>): Promise<void> {
  expect((await call).status).toBeLessThan(300)
}

describe.each([
  ['the instance of the change', here.url],
  ['the other instance', there.url],
])('%s', (_, url) => {
  test.each(changes)('a page shows %s', async (_what, change, done) => {
    const channel_id = await createChannel(ann)
    const page = await open(url)
    await change(channel_id)
    await page.sees(shown => done(shown, shown.channels[0]), 'the change')
    expect(page.shows()).toEqual(await bySlug())
  })

  test('inserted and deleted cards change the counts, and send no page', async () => {
    const channel_id = await createChannel(ann)
    const other = await createChannel(ann)
    const page = await open(url)
    const path = await addCard(channel_id)
    await page.counts(channel_id, 1)
    await addCard(channel_id)
    await page.counts(channel_id, 2)
    await ann.key('DELETE', path)
    await page.counts(channel_id, 1)
    expect(page.activity()[channel_id]).toMatchObject({ newest_position: 1, card_count: 1 })
    expect(page.ofType('page')).toHaveLength(1)
    for (const { channels } of page.ofType('activity').slice(1)) expect(channels).not.toHaveProperty(other)
  })

  test('a new channel’s cards are counted from the first', async () => {
    const page = await open(url)
    const channel_id = await createChannel(ann)
    for (let i = 0; i < 3; i++) await addCard(channel_id)
    await page.counts(channel_id, 3)
    expect(page.activity()[channel_id]).toMatchObject({ newest_position: 2, card_count: 3 })
    expect(page.shows()?.channels).toHaveLength(1)
  })
})

test('a change is sent at once, and changes within the next second together', async () => {
  const [one, two] = [await createChannel(ann), await createChannel(ann)]
  const page = await open()
  const took: number[] = []
  for (let round = 1; round <= 3; round++) {
    // The ping after 20 s of silence comes when the last window is over, or a second later.
    ahead += 21_000
    await until(() => page.ofType('ping').length === round, 'silence')
    const began = performance.now()
    await addCard(one)
    await page.counts(one, round)
    took.push(performance.now() - began)
  }
  // At least one of three must not be delayed by a busy machine.
  expect(Math.min(...took)).toBeLessThan(500)
  const before = page.ofType('activity').length
  const began = performance.now()
  for (let i = 0; i < 20; i++) await Promise.all([addCard(one), addCard(two)])
  await Promise.all([page.counts(one, 23), page.counts(two, 20)])
  const seconds = (performance.now() - began) / 1_000
  expect(page.ofType('activity').length - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
})

test('a change that is not visible sends nothing', async () => {
  const channel_id = await createChannel(ann)
  const path = await addCard(channel_id)
  await addCard(channel_id)
  const page = await open()
  await ann.key('PATCH', path, { status: 'success' })
  await ann.key('PATCH', `/channels/${channel_id}`, { receipts: 'off' })
  await patchWorkspace(ann, {})
  await ann.key('PUT', `/channels/${channel_id}/attributes`, { team: '' })
  // Later messages arrive later.
  await addCard(channel_id)
  await page.counts(channel_id, 3)
  expect(page.messages().map(({ type }) => type)).toEqual(['page', 'activity', 'activity'])
})

test('a page gets no changes of other workspaces', async () => {
  const bob = await createAccount(here)
  const page = await open()
  const foreign = await createChannel(bob)
  await pushCard(bob.key, `/channels/${foreign}/cards`)
  await patchWorkspace(bob, { name: 'Other' })
  await patchWorkspace(ann, { name: 'Own' })
  await page.sees(({ workspace }) => workspace.name === 'Own', 'the own name')
  expect(page.ofType('page')).toHaveLength(2)
  expect(Object.keys(page.activity())).toEqual([])
})

test('changes whose notices were lost with the connection still arrive', async () => {
  const channel_id = await createChannel(ann)
  const page = await open(there.url)
  for (let i = 1; i <= 3; i++) {
    await Promise.all([cutNotices(here.sql), patchWorkspace(ann, { name: `Cut ${i}` }), addCard(channel_id)])
    await page.sees(({ workspace }) => workspace.name === `Cut ${i}`, 'the name')
    await page.counts(channel_id, i)
  }
})

test('a change without a notice is visible within a minute', async () => {
  const page = await open()
  await here.sql`update workspaces set name = 'By hand' where id = ${ann.workspace_id}`
  ahead += 61_000
  await page.sees(({ workspace }) => workspace.name === 'By hand', 'the name')
})
