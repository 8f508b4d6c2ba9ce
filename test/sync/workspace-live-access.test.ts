// Access to a workspace's live page and the right to edit it. Sockets close within 2 s of losing access, everywhere.
import { beforeEach, describe, expect, test } from 'vitest'
import { VISIBILITIES, type Visibility } from '../../shared/channel.ts'
import { type Account, createAccount, unlock } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { denied, notFound, unauthorized } from '../support/errors.ts'
import { livePath, type OpenPage, openPage } from '../support/open-page.ts'
import { sendUpgrade } from '../support/raw.ts'
import { runInstances } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { caller, create } from '../support/service.ts'
import { times } from '../support/times.ts'
import { upgradeStatus } from '../support/viewer.ts'

const WITHIN_MS = 2_000

let ann: Account
let slug: string

const { here, there } = await runInstances({ WORKSPACE_LIMIT: '0' })
const bob = await createAccount(here)
beforeEach(async () => {
  ann = await createAccount(here)
  slug = ann.slug
})

const unlockHere = () => unlock(here, { slug, password: PASSWORD })

/** The response to the upgrade; 101 without a body if it succeeds. */
async function upgrade(path: string, headers: Record<string, string> = {}) {
  if ((await upgradeStatus(here.url, path, headers)) === 101) return { status: 101 }
  const { status, body } = await sendUpgrade(here.url, path, headers)
  const parsed: unknown = JSON.parse(body)
  return { status, body: parsed }
}

const locked = () => ({ status: 401, body: { error: 'Password required', workspace_id: ann.workspace_id } })
const sees = (can_edit: boolean) => ({ status: 101, can_edit })

type Kind = 'anonymous' | 'owner' | 'other user' | 'unlocked' | 'other user, unlocked'
type Verdict = { status: number; body?: object; can_edit?: boolean }
const matrix: Record<Visibility, Record<Kind, () => Verdict>> = {
  private: {
    anonymous: () => unauthorized,
    owner: () => sees(true),
    'other user': () => denied,
    unlocked: () => unauthorized,
    'other user, unlocked': () => denied,
  },
  protected: {
    anonymous: locked,
    owner: () => sees(true),
    'other user': locked,
    unlocked: () => sees(false),
    'other user, unlocked': () => sees(false),
  },
  public: {
    anonymous: () => sees(false),
    owner: () => sees(true),
    'other user': () => sees(false),
    unlocked: () => sees(false),
    'other user, unlocked': () => sees(false),
  },
}

describe.each(VISIBILITIES)('a %s workspace', visibility => {
  test.each(Object.entries(matrix[visibility]))('and %s', async (kind, verdict) => {
    await patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    let unlocked = await unlockHere()
    await patchWorkspace(ann, { visibility })
    if (visibility === 'protected') unlocked = await unlockHere()
    const cookies: Record<string, string> = {
      anonymous: '',
      owner: ann.cookie,
      'other user': bob.cookie,
      unlocked,
      'other user, unlocked': `${bob.cookie}; ${unlocked}`,
    }
    const Cookie = cookies[kind] ?? ''
    const { status, body, can_edit } = verdict()
    expect(await upgrade(livePath(slug), { Cookie })).toEqual(body ? { status, body } : { status })
    const page = await caller(`${here.url}/api`, { Cookie })('GET', `/workspaces/by-slug/${slug}`)
    expect(page).toMatchObject(body ? { status, body } : { status: 200 })
    if (can_edit === undefined) return
    const opened = await openPage(here.url, slug, Cookie)
    expect(opened.shows()).toEqual(page.body)
    expect(opened.shows()?.can_edit).toBe(can_edit)
  })
})

describe('an address', () => {
  test('of an unknown workspace returns 404', async () => {
    for (const name of ['nothing-like-it', ann.workspace_id, 'UPPER', '%00', 'a%2Fb', '..%2f'])
      expect(await upgrade(livePath(name), { Cookie: ann.cookie }), name).toEqual(notFound('Workspace'))
    for (const path of ['/live/workspaces/', '/live/workspaces', '/live', `/live/channels/${slug}`])
      expect(await upgrade(path, { Cookie: ann.cookie }), path).toEqual(notFound())
  })
  test('may be the generated slug or the custom one', async () => {
    const custom_slug = `own-${slug}`
    await patchWorkspace(ann, { custom_slug })
    for (const name of [slug, custom_slug]) {
      const page = await openPage(here.url, name, ann.cookie)
      expect(page.shows()?.workspace).toMatchObject({ id: ann.workspace_id, slug, custom_slug })
    }
  })
})

test('cookies count only from the service’s own origin, and keys never', async () => {
  const from = (Origin: string) => upgradeStatus(here.url, livePath(slug), { Cookie: ann.cookie, Origin })
  expect(await from(here.url)).toBe(101)
  expect(await from('https://evil.example')).toBe(401)
  expect(await from('null')).toBe(401)
  expect(await upgradeStatus(here.url, `${livePath(slug)}?token=${ann.api_key}`)).toBe(401)
  const bearer = { Authorization: `Bearer ${ann.api_key}` }
  expect(await upgradeStatus(here.url, livePath(slug), bearer)).toBe(401)
  await patchWorkspace(ann, { visibility: 'public' })
  const page = await openPage(here.url, slug, '')
  expect(page.shows()?.can_edit).toBe(false)
})

/** The close code of the socket. Throws if the close takes too long. */
async function codeAfter({ closed }: OpenPage, act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  const code = await closed
  const took = performance.now() - began
  if (took > WITHIN_MS) throw new Error(`closed after ${Math.round(took)} ms`)
  return code
}

describe.each([
  ['the instance that was asked', here.url],
  ['the other instance', there.url],
])('on %s', (_, url) => {
  const open = (cookie = '', name = slug) => openPage(url, name, cookie)

  test('making a public workspace private closes all but its owner with 4403', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const [anonymous, user, owner] = [await open(), await open(bob.cookie), await open(ann.cookie)]
    const change = patchWorkspace(ann, { visibility: 'private' })
    expect(await codeAfter(anonymous, () => change)).toBe(4403)
    expect(await codeAfter(user, () => change)).toBe(4403)
    await owner.sees(({ workspace }) => workspace.visibility === 'private', 'the owner sees it')
    expect(owner.isOpen()).toBe(true)
  })

  test('protecting a public workspace closes viewers with 4401', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const page = await open(bob.cookie)
    const protect = () => patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    expect(await codeAfter(page, protect)).toBe(4401)
  })

  test('a new password closes unlocked viewers with 4401, but not the owner', async () => {
    await patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    const [guest, owner] = [await open(await unlockHere()), await open(ann.cookie)]
    expect(await codeAfter(guest, () => patchWorkspace(ann, { password: 'another one' }))).toBe(4401)
    expect(owner.isOpen()).toBe(true)
  })

  test('the owner’s sign-out closes a private workspace’s page with 4401', async () => {
    const page = await open(ann.cookie)
    expect(await codeAfter(page, () => ann.session('POST', '/auth/sign-out', {}))).toBe(4401)
  })

  test('the owner’s sign-out leaves a public workspace’s page open, without the right to edit', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const page = await open(ann.cookie)
    expect(page.shows()?.can_edit).toBe(true)
    await ann.session('POST', '/auth/sign-out', {})
    await page.sees(({ can_edit }) => !can_edit, 'the page without controls')
    expect(page.isOpen()).toBe(true)
  })

  test('deleting a workspace closes all viewers with 4404', async () => {
    const doomed = await create<{ id: string; slug: string }>(ann.session, '/workspaces', { name: 'Doomed' })
    const { id: workspace_id, slug: name } = doomed
    await createChannel({ key: ann.key, workspace_id })
    await patchWorkspace({ ...ann, workspace_id }, { visibility: 'public' })
    const pages = [await open(ann.cookie, name), await open('', name)]
    const deletion = ann.session('DELETE', `/workspaces/${workspace_id}`)
    for (const page of pages) expect(await codeAfter(page, () => deletion)).toBe(4404)
    expect(await upgradeStatus(url, livePath(name), { Cookie: ann.cookie })).toBe(404)
  })

  test('a socket stays with its workspace when another workspace takes its slug', async () => {
    const custom_slug = `moving-${slug}`
    await patchWorkspace(ann, { custom_slug, visibility: 'public' })
    const page = await open('', custom_slug)
    await patchWorkspace(ann, { custom_slug: null })
    await page.sees(({ workspace }) => workspace.custom_slug === null, 'the slug is gone')
    await patchWorkspace(bob, { custom_slug, name: 'Bob’s' })
    await patchWorkspace(ann, { name: 'Ann’s' })
    await page.sees(({ workspace }) => workspace.name === 'Ann’s', 'its own name')
    expect(page.ofType('page').map(({ page: { workspace } }) => workspace.id)).not.toContain(bob.workspace_id)
    // Access depends on the workspace, not on the slug.
    await patchWorkspace(bob, { visibility: 'private' })
    expect(await codeAfter(page, () => patchWorkspace(ann, { visibility: 'private' }))).toBe(4403)
  })

  test('a viewer does not get the change that ends its access', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const guests = await times(10, () => open())
    const owner = await open(ann.cookie)
    await patchWorkspace(ann, { visibility: 'private', name: 'Secret' })
    await owner.sees(({ workspace }) => workspace.name === 'Secret', 'the owner sees it')
    for (const guest of guests) {
      expect(await guest.closed).toBe(4403)
      expect(guest.shows()?.workspace.name).toBe('Team')
    }
  })

  test('new viewers of a workspace that was made public don’t get its earlier state', async () => {
    await patchWorkspace(ann, { name: 'Secret' })
    const owner = await open(ann.cookie)
    // The page is read again within a second, not at once.
    await patchWorkspace(ann, { icon: '🤫' })
    await owner.sees(({ workspace }) => workspace.icon === '🤫', 'the window has begun')
    await patchWorkspace(ann, { visibility: 'public', name: 'Open' })
    const guest = await open()
    expect(guest.ofType('page')[0]?.page.workspace.name).toBe('Open')
  })

  test('a viewer that lost access gets no later changes', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const [guest, owner] = [await open(), await open(ann.cookie)]
    expect(await codeAfter(guest, () => patchWorkspace(ann, { visibility: 'private' }))).toBe(4403)
    await patchWorkspace(ann, { name: 'Secret' })
    await owner.sees(({ workspace }) => workspace.name === 'Secret', 'the owner sees it')
    expect(guest.shows()?.workspace.name).toBe('Team')
  })
})

test('a page does not keep access that ended during its upgrade', async () => {
  await patchWorkspace(ann, { visibility: 'public' })
  for (let round = 0; round < 5; round++) {
    const opening = times(4, () => openPage(there.url, slug, bob.cookie).catch(() => null))
    await patchWorkspace(ann, { visibility: 'private' })
    for (const page of await opening) if (page) expect(await page.closed).toBe(4403)
    await patchWorkspace(ann, { visibility: 'public' })
  }
})
