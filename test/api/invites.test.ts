// Invites: who makes them, what they show, who may use them, how often, and how they end.
import { beforeEach, describe, expect, test } from 'vitest'
import type { CreatedInvite, Invite } from '../../shared/member.ts'
import { createAccount, OWN_PASSWORD } from '../support/account.ts'
import { denied, failed, forbidden, invalid, notFound, wrong } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { callTo } from '../support/service.ts'
import { createPeople, createTeam, inviteTo, join, type Team } from '../support/team.ts'

const service = await runService({ WORKSPACE_LIMIT: '0', SIGNUP_LIMIT: '0', TRUST_PROXY: '1' })
const people = await createPeople(service)
const { owner, editor, member, stranger } = people
const GONE = notFound('Invite')
const ANOTHER = forbidden('This invite is for another e-mail address')

let team: Team
let path: string
beforeEach(async () => {
  team = await createTeam(people)
  path = `/workspaces/${team.workspace_id}`
})

const newcomer = () => createAccount(service)
/** Each from an address of its own, because wrong tokens count. */
const anybody = () => callTo(`${service.url}/api`, { 'X-Forwarded-For': `198.51.100.${address++ % 250}` })
let address = 1
const preview = (token: string) => anybody()('POST', '/invites/preview', { token })
const accept = ({ cookie }: { cookie: string }, token: string) =>
  callTo(`${service.url}/api`, { Cookie: cookie, 'X-Forwarded-For': `203.0.113.${address++ % 250}` })(
    'POST',
    '/invites/accept',
    { token },
  )
const listed = async () => (await owner.session<Invite[]>('GET', `${path}/invites`)).body

test('an invite shows its link once', async () => {
  const { status, body } = await owner.session<CreatedInvite>('POST', `${path}/invites`, { role: 'editor' })
  expect(status).toBe(201)
  const { url, mailed, ...invite } = body
  expect(invite).toMatchObject({ role: 'editor', email: null, uses_left: 1 })
  expect(invite.created_by).toEqual({ id: owner.user_id, name: 'Ann' })
  expect(Date.parse(invite.expires_at) - Date.parse(invite.created_at)).toBe(7 * 86_400_000)
  expect(url).toMatch(new RegExp(`^${service.url}/join#[\\w-]{43}$`))
  expect(mailed).toBe(false)
  expect(await listed()).toEqual([invite])
  const token = new URL(url).hash.slice(1)
  expect(await preview(token)).toMatchObject({
    status: 200,
    body: {
      workspace: { name: 'Team', icon: '🏢' },
      role: 'editor',
      invited_by: { name: 'Ann' },
      email: null,
      expires_at: invite.expires_at,
    },
  })
  const [row] = await service.sql`select * from workspace_invites where id = ${invite.id}`
  expect(JSON.stringify(row)).not.toContain(token)
})

test.each([
  ...wrong('role', 'must be one of editor, member, viewer', 'owner', 'admin', 1, null),
  ...wrong('uses', 'must be a whole number from 1 to 100', 0, 101, 1.5, '1', null),
  ...wrong('expires_in_days', 'must be a whole number from 1 to 30', 0, 31, 0.5, '7'),
  ...wrong('email', 'must be a valid e-mail address', 'x', 'a@'),
  [{ email: 'a@example.com', uses: 2 }, 'uses must be 1 with email'],
])('%o is refused', async (fields, message) => {
  expect(await owner.session('POST', `${path}/invites`, { role: 'member', ...fields })).toMatchObject(
    invalid(message),
  )
  expect(await listed()).toEqual([])
})

describe('accepting', () => {
  test('an invite gives its role, and repeating the request changes nothing', async () => {
    const token = await inviteTo(owner, team.workspace_id, { role: 'member' })
    const bob = await newcomer()
    const { workspace_id: id, slug } = team
    const joined = {
      status: 200,
      body: { workspace: { id, name: 'Team', slug, icon: '🏢' }, role: 'member' },
    }
    expect(await accept(bob, token)).toMatchObject(joined)
    expect(await accept(bob, token)).toMatchObject(joined)
    expect(await accept(await newcomer(), token)).toMatchObject(GONE)
    expect(await preview(token)).toMatchObject(GONE)
    expect(await listed()).toEqual([])
  })

  test('an invite raises a role, and never lowers one; what changes nothing uses nothing up', async () => {
    const bob = await newcomer()
    await join(owner, team.workspace_id, bob, 'viewer')
    const token = await inviteTo(owner, team.workspace_id, { role: 'editor', uses: 2 })
    expect(await accept(owner, token)).toMatchObject({ status: 200, body: { role: 'owner' } })
    expect((await listed())[0]).toMatchObject({ uses_left: 2 })
    expect(await accept(bob, token)).toMatchObject({ body: { role: 'editor' } })
    expect((await listed())[0]).toMatchObject({ uses_left: 1 })
    const lower = await inviteTo(owner, team.workspace_id, { role: 'viewer' })
    expect(await accept(bob, lower)).toMatchObject({ body: { role: 'editor' } })
  })

  test('M4: twenty accounts at once, one use: one joins', async () => {
    const token = await inviteTo(owner, team.workspace_id, { role: 'viewer' })
    const crowd = await Promise.all(Array.from({ length: 20 }, newcomer))
    const answers = await Promise.all(crowd.map(one => accept(one, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)])
  })

  test('M4: one account, twenty times at once: one use', async () => {
    const token = await inviteTo(owner, team.workspace_id, { role: 'viewer', uses: 3 })
    const bob = await newcomer()
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(bob, token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect((await listed())[0]).toMatchObject({ uses_left: 2 })
  })

  test('an invite for one address is refused to others', async () => {
    const bob = await newcomer()
    const token = await inviteTo(owner, team.workspace_id, { role: 'member', email: bob.email.toUpperCase() })
    expect((await preview(token)).body).toMatchObject({ email: bob.email })
    expect(await accept(stranger, token)).toMatchObject(ANOTHER)
    expect(await accept(bob, token)).toMatchObject({ status: 200 })
  })

  test('whoever was removed does not come back with the same link', async () => {
    const token = await inviteTo(owner, team.workspace_id, { role: 'viewer', uses: 10 })
    const bob = await newcomer()
    await accept(bob, token)
    await owner.session('DELETE', `${path}/members/${bob.user_id}`)
    expect(await accept(bob, token)).toMatchObject(GONE)
    await join(owner, team.workspace_id, bob, 'member')
    expect(await accept(bob, token)).toMatchObject({ status: 200, body: { role: 'member' } })
  })

  test('a full workspace takes nobody', async () => {
    const full = await runService({ MEMBER_LIMIT: '1' })
    const [ann, bob, cid] = [await createAccount(full), await createAccount(full), await createAccount(full)]
    await join(ann, ann.workspace_id, bob, 'viewer')
    const token = await inviteTo(ann, ann.workspace_id, { role: 'member' })
    const limit = failed(429, 'Member limit reached')
    expect(await cid.session('POST', '/invites/accept', { token })).toMatchObject(limit)
    const signUp = {
      email: `${crypto.randomUUID()}@example.com`,
      password: OWN_PASSWORD,
      name: 'D',
      invite: token,
    }
    expect(await callTo(`${full.url}/api`)('POST', '/auth/sign-up/email', signUp)).toMatchObject(limit)
    expect(await full.sql`select from users where email = ${signUp.email}`).toHaveLength(0)
    expect(await bob.session('POST', '/invites/accept', { token })).toMatchObject({
      body: { role: 'member' },
    })
    await full.stop()
  })
})

describe('the end of an invite', () => {
  test('revoking', async () => {
    const { body } = await owner.session<CreatedInvite>('POST', `${path}/invites`, { role: 'editor' })
    const token = new URL(body.url).hash.slice(1)
    const at = `${path}/invites/${body.id}`
    expect(await editor.session('DELETE', at)).toMatchObject(denied)
    expect(await owner.session('DELETE', at)).toMatchObject({ status: 204 })
    for (const id of [body.id, 'x', crypto.randomUUID()])
      expect(await owner.session('DELETE', `${path}/invites/${id}`)).toMatchObject(GONE)
    expect(await accept(stranger, token)).toMatchObject(GONE)
  })

  test('an editor revokes an invite that they made, even for a role above', async () => {
    await inviteTo(editor, team.workspace_id, { role: 'member' })
    await service.sql`update workspace_invites set role = 'editor' where created_by = ${editor.user_id}`
    const [invite] = await listed()
    expect(await editor.session('DELETE', `${path}/invites/${invite?.id}`)).toMatchObject({ status: 204 })
  })

  test('its creator may no longer give the role: it ends, and does not revive', async () => {
    const token = await inviteTo(editor, team.workspace_id, { role: 'viewer', uses: 5 })
    await owner.session('PATCH', `${path}/members/${editor.user_id}`, { role: 'member' })
    expect(await preview(token)).toMatchObject(GONE)
    await owner.session('PATCH', `${path}/members/${editor.user_id}`, { role: 'editor' })
    expect(await preview(token)).toMatchObject(GONE)
    expect(await listed()).toEqual([])
  })

  test('time', async () => {
    const token = await inviteTo(owner, team.workspace_id, { role: 'viewer' })
    await service.sql`update workspace_invites set expires_at = now() where workspace_id = ${team.workspace_id}`
    expect(await accept(stranger, token)).toMatchObject(GONE)
    expect(await listed()).toEqual([])
  })

  test('a hundred may be open, and ended ones don’t count', async () => {
    const create = () => owner.session('POST', `${path}/invites`, { role: 'viewer' })
    const answers = await Promise.all(Array.from({ length: 101 }, create))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(await create()).toMatchObject(failed(429, 'Invite limit reached'))
    const [first] = await listed()
    await owner.session('DELETE', `${path}/invites/${first?.id}`)
    expect(await create()).toMatchObject({ status: 201 })
  })
})

describe('signing up with an invite', () => {
  const closed = runService({ SIGNUPS: 'closed', TRUST_PROXY: '1' })
  const onlyInvited = runService({ SIGNUPS: 'invite', TRUST_PROXY: '1' })

  const signUp = (url: string, invite?: string, email = `${crypto.randomUUID()}@example.com`) =>
    callTo(`${url}/api`, { 'X-Forwarded-For': `192.0.2.${address++ % 250}` })('POST', '/auth/sign-up/email', {
      email,
      password: OWN_PASSWORD,
      name: 'Bob',
      ...(invite !== undefined && { invite }),
    })

  test.each([
    ['closed', closed],
    ['invite', onlyInvited],
  ] as const)('with SIGNUPS=%s, a valid invite creates an account with its role', async (_, starting) => {
    const at = await starting
    const ann = await createAccount(at)
    expect(await signUp(at.url)).toMatchObject(forbidden('Sign-ups are closed'))
    const token = await inviteTo(ann, ann.workspace_id, { role: 'member' })
    const { status, headers } = await signUp(at.url, token)
    expect(status).toBe(200)
    const session = callTo(`${at.url}/api`, { Cookie: headers.get('Set-Cookie') ?? '' })
    expect(await session('GET', `/workspaces/${ann.workspace_id}`)).toMatchObject({
      body: { role: 'member' },
    })
    expect(await signUp(at.url, token)).toMatchObject(GONE)
  })

  test('a bad token, or one for another address, creates nothing', async () => {
    const email = `${crypto.randomUUID()}@example.com`
    expect(await signUp(service.url, 'x', email)).toMatchObject(GONE)
    const token = await inviteTo(owner, team.workspace_id, { role: 'member', email: 'somebody@example.com' })
    expect(await signUp(service.url, token, email)).toMatchObject(ANOTHER)
    expect(await service.sql`select from users where email = ${email}`).toHaveLength(0)
  })

  test('M4: twenty sign-ups with one use create one account', async () => {
    const token = await inviteTo(owner, team.workspace_id, { role: 'member' })
    const emails = Array.from({ length: 20 }, () => `${crypto.randomUUID()}@example.com`)
    const answers = await Promise.all(emails.map(email => signUp(service.url, token, email)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await service.sql`select from users where email = any(${emails}::text[])`).toHaveLength(1)
  })
})

test('after ten wrong tokens in a minute, an address gets 429, for right ones too', async () => {
  const from = callTo(`${service.url}/api`, { 'X-Forwarded-For': '192.0.2.251' })
  const tries = Array.from({ length: 10 }, () => from('POST', '/invites/preview', { token: 'wrong' }))
  for (const { status } of await Promise.all(tries)) expect(status).toBe(404)
  const token = await inviteTo(owner, team.workspace_id, { role: 'member' })
  expect(await from('POST', '/invites/preview', { token })).toMatchObject(
    failed(429, 'Too many failed attempts'),
  )
  expect(await preview(token)).toMatchObject({ status: 200 })
})

test('members and viewers invite nobody; a body without a token names it', async () => {
  expect(await member.session('POST', `${path}/invites`, { role: 'viewer' })).toMatchObject(denied)
  expect(await anybody()('POST', '/invites/preview', {})).toMatchObject(invalid('token is required'))
})
