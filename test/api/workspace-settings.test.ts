// PATCH of a workspace, its slugs and password, and its attribute settings.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, createAccount, createTestWorkspace, unlock } from '../support/account.ts'
import { ISO } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { invalid, notFound, wrong } from '../support/errors.ts'
import { runInstances } from '../support/running.ts'
import { times } from '../support/times.ts'

let ann: Account
let path: string

const { here: service, there: other } = await runInstances({ WORKSPACE_LIMIT: '0' })
beforeEach(async () => {
  ann = await createAccount(service)
  path = `/workspaces/${ann.workspace_id}`
})

const patch = (body: unknown) => ann.session('PATCH', path, body)
const get = async () => (await ann.session('GET', path)).body
const SLUG = 'must be 3-48 lowercase letters, digits or hyphens'
const unique = () => `s-${crypto.randomUUID().slice(0, 20)}`

describe('PATCH', () => {
  test.each([
    { name: '  New name ' },
    { icon: '🏳️‍🌈' },
    { visibility: 'public' },
    { layout: 'list' },
    { layout: 'sidebar' },
    { layout: 'tabs' },
    { layout: 'grid' },
    { show_search: false },
    { custom_slug: 'abc' },
    { custom_slug: `${'x'.repeat(46)}-1` },
    { custom_slug: null },
    { name: 'All', icon: '🎉', layout: 'grid', show_search: false, custom_slug: 'all-of-it' },
  ])('PATCH %j changes only that and returns every field', async body => {
    const before = await get()
    const response = await patch({ ...body, slug: 'mine', user_id: crypto.randomUUID(), access_version: 9 })
    const expected = body.name === undefined ? body : { ...body, name: body.name.trim() }
    expect(response.status).toBe(200)
    expect(response.body).toStrictEqual({ ...before, ...expected })
    expect(await get()).toStrictEqual(response.body)
    expect(Object.keys(response.body)).toEqual(Object.keys(before))
    expect(response.body).toMatchObject({ id: ann.workspace_id, user_id: ann.user_id })
    expect(response.body.created_at).toMatch(ISO)
  })

  test('an empty body changes nothing', async () => {
    const before = await get()
    expect(await patch({})).toMatchObject({ status: 200, body: before })
  })

  test('a new name keeps the slug', async () => {
    const before = await get()
    expect((await patch({ name: 'Other' })).body).toMatchObject({ slug: before.slug, name: 'Other' })
  })

  const visibilities = 'must be one of private, protected, public'
  const passwordWith = (message: string, ...values: unknown[]) =>
    values.map(password => [{ visibility: 'protected', password }, message] as const)
  test.each([
    ...wrong('name', 'is required', ''),
    ...wrong('name', 'must be a string', null),
    ...wrong('icon', 'must be a single emoji', 'ab'),
    ...wrong('icon', 'must be a string', null),
    ...wrong('visibility', visibilities, 'open', null),
    ...passwordWith('password is required', undefined, ''),
    ...passwordWith('password must be a string', null, 12345678),
    ...wrong('password', 'must be 8 to 128 characters', 'x'.repeat(7), 'x'.repeat(129)),
    ...wrong('layout', 'must be one of list, sidebar, tabs, grid', 'rows', null),
    ...wrong('show_search', 'must be a boolean', 'yes', null),
    ...wrong('custom_slug', SLUG, '', 'ab', 'x'.repeat(49), 'Abc', 'a_b_c', 'äbc', 'abc\n', 'a/b'),
    ...wrong('custom_slug', 'must be a string', 1),
  ])('PATCH %j returns 400: %s, and changes nothing', async (body, error) => {
    const before = await get()
    expect(await patch({ name: 'Other', layout: 'grid', ...body })).toMatchObject(invalid(error))
    expect(await get()).toStrictEqual(before)
  })
})

describe('a custom slug', () => {
  test('a custom slug opens the workspace like the generated one; null removes it', async () => {
    const slug = unique()
    await patchWorkspace(ann, { visibility: 'public', custom_slug: slug })
    const generated = String((await get()).slug)
    for (const name of [slug, generated])
      expect((await ann.session('GET', `/workspaces/by-slug/${name}`)).body).toMatchObject({
        workspace: { id: ann.workspace_id, slug: generated, custom_slug: slug },
      })
    await patchWorkspace(ann, { custom_slug: null })
    expect(await ann.session('GET', `/workspaces/by-slug/${slug}`)).toMatchObject(notFound('Workspace'))
    expect((await ann.session('GET', `/workspaces/by-slug/${generated}`)).status).toBe(200)
  })

  test('a custom slug can be reused after it is changed or removed', async () => {
    const [first, second] = [unique(), unique()]
    const bob = await createAccount(service)
    await patchWorkspace(ann, { custom_slug: first })
    await patchWorkspace(ann, { custom_slug: second })
    await patchWorkspace(bob, { custom_slug: first })
    await patchWorkspace(ann, { custom_slug: null })
    await patchWorkspace(bob, { custom_slug: second })
    expect((await bob.session('GET', `/workspaces/${bob.workspace_id}`)).body.custom_slug).toBe(second)
  })

  test("a custom slug of another workspace returns 400, custom or generated, the user's own or not", async () => {
    const bob = await createAccount(service)
    const taken = unique()
    await patchWorkspace(bob, { custom_slug: taken })
    const { body } = await ann.session<{ slug: string }>('POST', '/workspaces', { name: unique() })
    for (const custom_slug of [taken, body.slug])
      expect(await patch({ custom_slug, name: 'Other' })).toMatchObject(
        invalid('custom_slug is already taken'),
      )
    expect(await get()).toMatchObject({ custom_slug: null, name: 'Team' })
  })

  test("a custom slug may be the workspace's current one, custom or generated", async () => {
    const custom_slug = unique()
    await patchWorkspace(ann, { custom_slug })
    await patchWorkspace(ann, { custom_slug })
    const { slug } = await get()
    await patchWorkspace(ann, { custom_slug: slug })
    expect(await get()).toMatchObject({ slug, custom_slug: slug })
    await patchWorkspace(ann, { custom_slug: null })
    expect((await ann.session('GET', `/workspaces/by-slug/${slug}`)).status).toBe(200)
  })

  test('a custom slug is not generated for a new workspace', async () => {
    const name = unique()
    await patchWorkspace(ann, { custom_slug: name })
    const { body } = await ann.session('POST', '/workspaces', { name })
    expect(body.slug).toBe(`${name}-2`)
  })

  test('a custom slug requested in parallel on two instances goes to one workspace; generated and custom slugs never collide', async () => {
    const wanted = unique()
    const accounts = await times(6, i => createAccount(i % 2 ? other : service))
    const patches = accounts.map(({ session, workspace_id }) =>
      session('PATCH', `/workspaces/${workspace_id}`, { custom_slug: wanted }),
    )
    const creations = accounts.map(({ session }) => session('POST', '/workspaces', { name: wanted }))
    const patched = await Promise.all(patches)
    const created = await Promise.all(creations)
    expect(created.map(({ status }) => status)).toEqual(Array(6).fill(201))
    const owners = patched.filter(({ status }) => status === 200).length
    const generated = new Set(created.map(({ body }) => body.slug))
    expect(generated.size).toBe(6)
    expect(owners).toBe(generated.has(wanted) ? 0 : 1)
    for (const { status, body } of patched)
      if (status !== 200) expect({ status, body }).toMatchObject(invalid('custom_slug is already taken'))
  })

  test('a custom slug swapped between workspaces in parallel succeeds or returns 400, never 500', async () => {
    const accounts = await times(4, () => createAccount(service))
    const slugs = accounts.map(unique)
    for (const [i, account] of accounts.entries()) await patchWorkspace(account, { custom_slug: slugs[i] })
    for (let round = 1; round <= 12; round++) {
      const responses = await Promise.all(
        accounts.map(({ session, workspace_id }, i) =>
          session('PATCH', `/workspaces/${workspace_id}`, { custom_slug: slugs[(i + round) % 4] }),
        ),
      )
      for (const { status } of responses) expect([200, 400]).toContain(status)
    }
  })
})

describe('a password', () => {
  test('a password is only required once: protecting the workspace again needs none', async () => {
    await patchWorkspace(ann, { visibility: 'protected', password: 'first one' })
    await patchWorkspace(ann, { visibility: 'private' })
    expect((await patch({ visibility: 'protected' })).body).toMatchObject({ visibility: 'protected' })
    const { workspace_id } = ann
    expect(await unlock(service, { workspace_id, password: 'first one' })).not.toBe('')
  })

  test('a password may be set early, has 8 to 128 characters, and is in no response', async () => {
    const password = '😀'.repeat(128)
    const responses = [await patch({ password: '😀'.repeat(8) }), await patch({ password })]
    responses.push(await patch({ visibility: 'protected' }))
    for (const { status, body } of [...responses, await ann.session('GET', path)]) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/password|argon|😀/)
    }
    const [row] = await service.sql`select password_hash from workspaces where id = ${ann.workspace_id}`
    expect(row?.password_hash).toMatch(/^\$argon2id\$/)
  })
})

describe('attribute settings', () => {
  const settings = () => ann.session('GET', `${path}/attribute-settings`)
  const put = (body: unknown) => ann.session('PUT', `${path}/attribute-settings`, body)
  const setting = (key: string, use_as_filter = false, show_in_sidebar = false) => ({
    key,
    use_as_filter,
    show_in_sidebar,
  })

  test('attribute settings list every attribute key of any channel and every key with settings, sorted', async () => {
    await createChannel(ann, { attributes: { env: 'prod', zone: 'a' } })
    await createChannel(ann, { attributes: { ENV: 'test', _b: 'x', ä: 'y', '1': 'z' } })
    const bob = await createAccount(service)
    await createChannel(bob, { attributes: { secret: 'x' } })
    const later = setting('later', false, true)
    expect(await put({ key: 'Later', show_in_sidebar: true })).toMatchObject({ status: 200, body: later })
    await put({ key: 'env', use_as_filter: true })
    expect((await settings()).body).toStrictEqual([
      setting('1'),
      setting('_b'),
      setting('env', true),
      later,
      setting('zone'),
      setting('ä'),
    ])
  })

  test('a PUT of attribute settings changes only the given fields', async () => {
    await put({ key: 'env', use_as_filter: true })
    const both = setting('env', true, true)
    expect((await put({ key: 'ENV', show_in_sidebar: true })).body).toStrictEqual(both)
    expect((await put({ key: 'env' })).body).toStrictEqual(both)
    const one = setting('env', false, true)
    expect((await put({ key: 'env', use_as_filter: false })).body).toStrictEqual(one)
  })

  test('attribute settings stay after the last channel with the key is deleted', async () => {
    const id = await createChannel(ann, { attributes: { gone: 'x', kept: 'y' } })
    await put({ key: 'kept', use_as_filter: true })
    await ann.key('DELETE', `/channels/${id}`)
    expect((await settings()).body).toStrictEqual([setting('kept', true)])
  })

  test.each([
    ...wrong('key', 'is required', undefined, ''),
    ...wrong('key', 'must be a string', null, 1),
    ...wrong('key', 'must have 1 to 64 characters', 'x'.repeat(65)),
    ...wrong('key', 'is reserved', 'Created_at'),
    [{ key: 'a', use_as_filter: 'yes' }, 'use_as_filter must be a boolean'],
    [{ key: 'a', show_in_sidebar: null }, 'show_in_sidebar must be a boolean'],
  ])('attribute settings return 400 for %j: %s', async (body, error) => {
    expect(await put(body)).toMatchObject(invalid(error))
    expect((await settings()).body).toEqual([])
  })

  test('attribute settings return 404 for a workspace that is being deleted, never 500', async () => {
    const doomed = `/workspaces/${await createTestWorkspace(ann.session)}`
    const puts = times(20, i => ann.session('PUT', `${doomed}/attribute-settings`, { key: `k${i}` }))
    const deletion = ann.session('DELETE', doomed)
    for (const { status } of await puts) expect([200, 404]).toContain(status)
    expect((await deletion).status).toBe(200)
  })
})
