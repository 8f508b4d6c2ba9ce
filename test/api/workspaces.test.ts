// Creating, listing, reading and deleting workspaces, and their slugs.
import { describe, expect, test } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace, withKey } from '../support/account.ts'
import { UUID_V4 } from '../support/blocks.ts'
import { ISO } from '../support/cards.ts'
import { invalid } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner({ WORKSPACE_LIMIT: '0' })

type Workspace = { id: string; slug: string; [field: string]: unknown }
const create = (name: unknown, more: object = {}) =>
  ann.session<Workspace>('POST', '/workspaces', { name, ...more })
const fields = {
  visibility: 'private',
  layout: 'sidebar',
  show_search: true,
  created_at: expect.stringMatching(ISO),
}

test('creating returns 201 with the specified fields and defaults', async () => {
  const { status, body } = await create(' Acme Inc. ')
  expect(status).toBe(201)
  expect(body).toStrictEqual({
    id: expect.stringMatching(UUID_V4),
    name: 'Acme Inc.',
    slug: 'acme-inc',
    icon: '🏢',
    user_id: ann.user_id,
    ...fields,
  })
})

test('reading returns every field', async () => {
  const { body } = await create('Read', { icon: '🧑🏿‍🤝‍🧑🏻' })
  const read = await ann.session('GET', `/workspaces/${body.id.toUpperCase()}`)
  expect(read).toMatchObject({ status: 200 })
  expect(read.body).toStrictEqual({ ...body, custom_slug: null, icon: '🧑🏿‍🤝‍🧑🏻', role: 'owner' })
})

test("the list has the user's own workspaces, oldest first, without user_id", async () => {
  const bob = await createAccount(service)
  await bob.session('POST', '/workspaces', { name: 'Second' })
  const { body } = await bob.session<Workspace[]>('GET', '/workspaces')
  expect(body.map(({ name }) => name)).toEqual(['Team', 'Second'])
  expect(body[1]).toStrictEqual({
    id: expect.stringMatching(UUID_V4),
    name: 'Second',
    slug: 'second',
    custom_slug: null,
    icon: '🏢',
    ...fields,
    role: 'owner',
  })
})

test('keys get the same list; a confined key gets only its own workspace', async () => {
  const bob = await createAccount(service)
  const workspace_id = await createTestWorkspace(bob.session, 'Second')
  expect((await bob.key('GET', '/workspaces')).body).toStrictEqual(
    (await bob.session('GET', '/workspaces')).body,
  )
  const confined = withKey(service.url, (await createTestKey(bob.session, { workspace_id })).key)
  expect((await confined('GET', '/workspaces')).body).toMatchObject([{ id: workspace_id }])
})

describe('a slug', () => {
  test('a slug that exists gets the next free number', async () => {
    const slugs: string[] = []
    for (let i = 0; i < 3; i++) slugs.push((await create('My Slug!')).body.slug)
    expect(slugs).toEqual(['my-slug', 'my-slug-2', 'my-slug-3'])
  })
  test('a slug of a popular name is found without trying every number', async () => {
    const taken = Array.from({ length: 500 }, (_, i) => (i === 0 ? 'crowd' : `crowd-${i + 1}`))
    const { body } = await create('Holder')
    await service.sql`alter table workspace_slugs drop constraint workspace_slugs_workspace_id_custom_key`
    await service.sql`
      insert into workspace_slugs (slug, workspace_id, custom)
      select slug, ${body.id}, false from unnest(${taken}::text[]) slug`
    expect((await create('Crowd')).body.slug).toBe('crowd-501')
  })
  test('a slug of a name without Latin letters is workspace', async () => {
    expect((await create('駅')).body.slug).toMatch(/^workspace(-\d+)?$/)
  })
  test('a slug can be reused after its workspace is deleted', async () => {
    const { body } = await create('Short lived')
    await ann.session('DELETE', `/workspaces/${body.id}`)
    expect((await create('Short lived')).body.slug).toBe('short-lived')
  })
})

describe('deleting', () => {
  test('deleting a workspace returns {success: true}; then the workspace returns 404', async () => {
    const { body } = await create('Gone')
    const path = `/workspaces/${body.id}`
    expect(await ann.session('DELETE', path)).toMatchObject({ status: 200, body: { success: true } })
    expect((await ann.session('GET', path)).status).toBe(404)
    expect((await ann.session('DELETE', path)).status).toBe(404)
  })

  test('deleting the last workspace returns 400 and keeps it', async () => {
    const bob = await createAccount(service)
    const path = `/workspaces/${bob.workspace_id}`
    expect(await bob.session('DELETE', path)).toMatchObject(invalid('Cannot delete the last workspace'))
    expect((await bob.session('GET', path)).status).toBe(200)
  })

  test('deleting all workspaces in parallel leaves one', async () => {
    const bob = await createAccount(service)
    const ids = [bob.workspace_id]
    for (let i = 0; i < 2; i++) {
      const { body } = await bob.session<Workspace>('POST', '/workspaces', { name: 'W' })
      ids.push(body.id)
    }
    const responses = await Promise.all(ids.map(id => bob.session('DELETE', `/workspaces/${id}`)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 400])
    expect((await bob.session<Workspace[]>('GET', '/workspaces')).body).toHaveLength(1)
  })
})
