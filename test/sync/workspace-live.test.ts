// An open workspace page gets all changes, from every caller and every instance.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import { type Account, createAccount, withKey } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { type OpenPage, openPage } from '../support/open-page.ts'
import { caller, startTestService } from '../support/service.ts'
import { until } from '../support/viewer.ts'

let ahead = 0
let ann: Account
let slug: string
let opened: OpenPage[] = []

const here = await startTestService({ WORKSPACE_LIMIT: '0' }, { elapsed: () => performance.now() + ahead })
const there = await startTestService({}, { database: here.database })
afterAll(async () => {
  await there.stop()
  await here.stop()
})
beforeEach(async () => {
  ahead = 0
  ann = await createAccount(here)
  slug = String((await ann.session('GET', `/workspaces/${ann.workspace_id}`)).body.slug)
})
afterEach(() => {
  for (const page of opened) page.leave()
  opened = []
})

async function open(url = here.url, cookie: string | undefined = ann.cookie): Promise<OpenPage> {
  const page = await openPage(url, slug, cookie)
  opened.push(page)
  return page
}

const card = { blocks: [{ type: 'text', id: 't', content: 'Hello' }] }
const addCard = (channel_id: string) => ann.key<{ id: string }>('POST', `/channels/${channel_id}/cards`, card)
const bySlug = async () => (await ann.session<WorkspacePage>('GET', `/workspaces/by-slug/${slug}`)).body

describe('at open', () => {
  test('a viewer gets the page, as by-slug returns it, and then the activity of all channels', async () => {
    const [quiet, busy] = [
      await createChannel(ann, { attributes: { team: 'web' } }),
      await createChannel(ann),
    ]
    await addCard(busy)
    const { body } = await addCard(busy)
    await ann.key('DELETE', `/channels/${busy}/cards/${body.id}`)
    const page = await open()
    expect(page.messages()).toEqual([
      { type: 'page', page: await bySlug() },
      {
        type: 'activity',
        channels: {
          [quiet]: { newest_position: null, card_count: 0 },
          [busy]: { newest_position: 0, card_count: 1 },
        },
      },
    ])
  })

  test('a workspace without channels sends empty activity', async () => {
    const page = await open()
    expect(page.messages()).toEqual([
      { type: 'page', page: await bySlug() },
      { type: 'activity', channels: {} },
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
    expect(guest.shows()).toEqual({ ...(await bySlug()), can_edit: false })
    expect(guest.activity()).toEqual(owner.activity())
  })
})

type Change = {
  act: (channel_id: string) => Promise<{ status: number }>
  seen: (page: WorkspacePage) => boolean
}
const patch = (fields: object) => ann.session('PATCH', `/workspaces/${ann.workspace_id}`, fields)
const first = ({ channels }: WorkspacePage) => channels[0]

const changes: Record<string, Change> = {
  'the workspace’s name': {
    act: () => patch({ name: 'Acme' }),
    seen: page => page.workspace.name === 'Acme',
  },
  'its icon': { act: () => patch({ icon: '🚀' }), seen: page => page.workspace.icon === '🚀' },
  'its layout': { act: () => patch({ layout: 'grid' }), seen: page => page.workspace.layout === 'grid' },
  'its search': { act: () => patch({ show_search: false }), seen: page => !page.workspace.show_search },
  'its visibility': {
    act: () => patch({ visibility: 'public' }),
    seen: page => page.workspace.visibility === 'public',
  },
  'its custom slug': {
    act: () => patch({ custom_slug: `own-${slug}` }),
    seen: page => page.workspace.custom_slug === `own-${slug}`,
  },
  'a new channel': {
    act: () => ann.key('POST', '/channels', { name: 'Second', workspace_id: ann.workspace_id }),
    seen: ({ channels }) => channels.length === 2 && channels[1]?.name === 'Second',
  },
  'a deleted channel': {
    act: id => ann.key('DELETE', `/channels/${id}`),
    seen: ({ channels }) => channels.length === 0,
  },
  'a channel’s name': {
    act: id => ann.key('PATCH', `/channels/${id}`, { name: 'Renamed' }),
    seen: page => first(page)?.name === 'Renamed',
  },
  'a channel’s description, icon and mode': {
    act: id =>
      ann.session('PATCH', `/channels/${id}`, { description: 'New', icon: '🔔', mode: 'interactive' }),
    seen: page => {
      const { description, icon, mode } = first(page) ?? {}
      return description === 'New' && icon === '🔔' && mode === 'interactive'
    },
  },
  'an attribute': {
    act: id => ann.key('PUT', `/channels/${id}/attributes`, { team: 'web', Env: 'prod' }),
    seen: page => first(page)?.attributes.team === 'web' && page.attribute_settings.length === 2,
  },
  'an attribute’s setting': {
    act: () =>
      ann.session('PUT', `/workspaces/${ann.workspace_id}/attribute-settings`, {
        key: 'team',
        use_as_filter: true,
      }),
    seen: page => page.attribute_settings.some(({ key, use_as_filter }) => key === 'team' && use_as_filter),
  },
}

describe.each([
  ['the instance that was asked', () => here],
  ['the other instance', () => there],
])('on %s', (_, at) => {
  test.each(Object.entries(changes))('%s is shown', async (_name, { act, seen }) => {
    const channel_id = await createChannel(ann)
    const page = await open(at().url)
    expect((await act(channel_id)).status).toBeLessThan(300)
    await page.sees(seen, 'the change')
    expect(page.shows()).toEqual(await bySlug())
  })

  test('inserted and deleted cards change the counts, and send no page', async () => {
    const channel_id = await createChannel(ann)
    const other = await createChannel(ann)
    const page = await open(at().url)
    const { body } = await addCard(channel_id)
    await page.counts(channel_id, 1)
    await addCard(channel_id)
    await page.counts(channel_id, 2)
    await ann.key('DELETE', `/channels/${channel_id}/cards/${body.id}`)
    await page.counts(channel_id, 1)
    expect(page.activity()[channel_id]).toEqual({ newest_position: 1, card_count: 1 })
    expect(page.ofType('page')).toHaveLength(1)
    for (const { channels } of page.ofType('activity').slice(1)) expect(channels).not.toHaveProperty(other)
  })

  test('a new channel’s cards are counted from the first', async () => {
    const page = await open(at().url)
    const channel_id = await createChannel(ann)
    for (let i = 0; i < 3; i++) await addCard(channel_id)
    await page.counts(channel_id, 3)
    expect(page.activity()[channel_id]).toEqual({ newest_position: 2, card_count: 3 })
    expect(page.shows()?.channels).toHaveLength(1)
  })
})

test('a change is sent at once, and changes within the next second together', async () => {
  const [one, two] = [await createChannel(ann), await createChannel(ann)]
  const page = await open()
  const times: number[] = []
  for (let round = 1; round <= 3; round++) {
    // The ping comes when the last window is over, or a second later.
    ahead += 21_000
    await until(() => page.ofType('ping').length === round, 'silence')
    const began = performance.now()
    await addCard(one)
    await page.counts(one, round)
    times.push(performance.now() - began)
  }
  // At least one of three must not be delayed by a busy machine.
  expect(Math.min(...times)).toBeLessThan(500)
  const before = page.ofType('activity').length
  const began = performance.now()
  for (let i = 0; i < 20; i++) await Promise.all([addCard(one), addCard(two)])
  await Promise.all([page.counts(one, 23), page.counts(two, 20)])
  const seconds = (performance.now() - began) / 1_000
  expect(page.ofType('activity').length - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
})

test('a change that is not visible sends nothing', async () => {
  const channel_id = await createChannel(ann)
  const { body } = await addCard(channel_id)
  const page = await open()
  await ann.key('PATCH', `/channels/${channel_id}/cards/${body.id}`, { status: 'success' })
  await ann.key('PATCH', `/channels/${channel_id}`, { webhook_url: 'https://example.com/hook' })
  await patchWorkspace(ann, {})
  await ann.key('PUT', `/channels/${channel_id}/attributes`, { team: '' })
  // Later messages arrive later.
  await addCard(channel_id)
  await page.counts(channel_id, 2)
  expect(page.messages().map(({ type }) => type)).toEqual(['page', 'activity', 'activity'])
})

test('a page gets no changes of other workspaces', async () => {
  const bob = await createAccount(here)
  const page = await open()
  const foreign = await createChannel(bob)
  await bob.key('POST', `/channels/${foreign}/cards`, card)
  await patchWorkspace(bob, { name: 'Other' })
  await patchWorkspace(ann, { name: 'Own' })
  await page.sees(({ workspace }) => workspace.name === 'Own', 'the own name')
  expect(page.ofType('page')).toHaveLength(2)
  expect(Object.keys(page.activity())).toEqual([])
})

test('changes by key on the other instance are visible here', async () => {
  const page = await open(here.url)
  const key = withKey(there.url, ann.api_key)
  const { body } = await key<{ id: string }>('POST', '/channels', {
    name: 'Far',
    workspace_id: ann.workspace_id,
  })
  await page.sees(({ channels }) => channels[0]?.name === 'Far', 'the channel')
  await key('POST', `/channels/${body.id}/cards`, card)
  await page.counts(body.id, 1)
})

test('changes whose notices were lost with the connection are made up for', async () => {
  const channel_id = await createChannel(ann)
  const page = await open(there.url)
  for (let i = 1; i <= 3; i++) {
    const cut = here.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`
    await Promise.all([cut, patchWorkspace(ann, { name: `Cut ${i}` }), addCard(channel_id)])
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

test('a viewer gets a ping after 20 s without a message', async () => {
  const page = await open()
  for (let i = 1; i <= 2; i++) {
    ahead += 21_000
    await until(() => page.ofType('ping').length === i, 'a ping')
  }
})

test('viewers that open at the same time get the same', async () => {
  await patchWorkspace(ann, { visibility: 'public' })
  const channel_id = await createChannel(ann)
  const pages = await Promise.all(
    Array.from({ length: 30 }, (_, i) => open(here.url, i % 2 ? ann.cookie : '')),
  )
  await addCard(channel_id)
  await caller(`${here.url}/api`, { Cookie: ann.cookie })('PATCH', `/channels/${channel_id}`, {
    name: 'Same',
  })
  for (const [i, page] of pages.entries()) {
    await page.sees(({ channels }) => channels[0]?.name === 'Same', 'the name')
    await page.counts(channel_id, 1)
    expect(page.shows()).toEqual({ ...pages[i % 2]?.shows(), can_edit: i % 2 === 1 })
  }
})
