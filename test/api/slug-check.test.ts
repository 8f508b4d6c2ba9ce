// The slug check while the owner types: its reasons equal the errors of PATCH.
import { expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { patchWorkspace } from '../support/channels.ts'
import { invalid } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const bob = await createAccount(service)

const pathFor = (slug: string) =>
  `/workspaces/${ann.workspace_id}/slug-check?slug=${encodeURIComponent(slug)}`
const check = (slug: string) => ann.session('GET', pathFor(slug))
const unique = () => `s-${crypto.randomUUID().slice(0, 20)}`
const available = { status: 200, body: { available: true, reason: null } }
const unavailable = (reason: string) => ({ status: 200, body: { available: false, reason } })

test("a free slug is available, and checking doesn't take it", async () => {
  const slug = unique()
  expect(await check(slug)).toStrictEqual({ ...available, headers: expect.anything() })
  await patchWorkspace(bob, { custom_slug: slug })
  expect(await check(slug)).toMatchObject(unavailable('custom_slug is already taken'))
})

test("another workspace's slugs are taken; the workspace's own are available", async () => {
  const slug = unique()
  await patchWorkspace(ann, { custom_slug: slug })
  expect(await check(slug)).toMatchObject(available)
  expect(await check(ann.slug)).toMatchObject(available)
  expect(await check(bob.slug)).toMatchObject(unavailable('custom_slug is already taken'))
})

test.each(['', 'ab', 'x'.repeat(49), 'Abc', 'a_b', 'äbc', 'abc\n', 'a\0b', 'a b', '🚀🚀🚀'])(
  '%j is no slug, and the reason says so',
  async slug => {
    const reason = 'custom_slug must be 3-48 lowercase letters, digits or hyphens'
    expect(await check(slug)).toMatchObject(unavailable(reason))
  },
)

test('PATCH does what the check says', async () => {
  for (const slug of [unique(), ann.slug, bob.slug, 'No', '---', 'a--b']) {
    const { body } = await check(slug)
    const { status, body: response } = await ann.session('PATCH', `/workspaces/${ann.workspace_id}`, {
      custom_slug: slug,
    })
    expect([slug, body.available, body.reason]).toEqual([slug, status === 200, response.error ?? null])
  }
})

test('a missing slug returns 400', async () => {
  expect(await ann.session('GET', `/workspaces/${ann.workspace_id}/slug-check`)).toMatchObject(
    invalid('slug is required'),
  )
})
