// A workspace's live page while the right to see or edit it changes. api/access-ends.test.ts checks when its sockets close.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { patchWorkspace } from '../support/channels.ts'
import { openPage } from '../support/open-page.ts'
import { runInstances } from '../support/running.ts'
import { times } from '../support/times.ts'

let ann: Account
let slug: string

const { here, there } = await runInstances()
const bob = await createAccount(here)
beforeEach(async () => {
  ann = await createAccount(here)
  slug = ann.slug
})

describe.each([
  ['the instance that was asked', here.url],
  ['the other instance', there.url],
])('%s', (_, url) => {
  const open = (cookie = '', name = slug) => openPage(url, name, cookie)

  test('the owner’s sign-out leaves a public workspace’s page open, without the right to edit', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const page = await open(ann.cookie)
    expect(page.shows()?.can_edit).toBe(true)
    await ann.session('POST', '/auth/sign-out', {})
    await page.sees(({ can_edit }) => !can_edit, 'the page without controls')
    expect(page.isOpen()).toBe(true)
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
    await patchWorkspace(ann, { visibility: 'private' })
    expect(await page.closed).toBe(4403)
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
})
