// The people of a workspace: who is listed, who may change and remove whom, what ends with a role, and transfer.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Member, WorkspaceKey } from '../../shared/member.ts'
import type { Usage } from '../../shared/usage.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { createAccount, createTestKey, createTestWorkspace, withKey } from '../support/account.ts'
import { textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { denied, failed, invalid, notFound } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import type { Call } from '../support/service.ts'
import { createPeople, createTeam, inviteTo, join, type Team } from '../support/team.ts'

const service = await runService({ WORKSPACE_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', DAILY_CARD_LIMIT: '0' })
const people = await createPeople(service)
const { owner, editor, member, viewer, stranger } = people

let team: Team
let path: string
beforeEach(async () => {
  team = await createTeam(people)
  path = `/workspaces/${team.workspace_id}`
})

const of = (user_id: string) => `${path}/members/${user_id}`
const push = (call: Call, channel_id: string, content: string) =>
  call<{ id: string }>('POST', `/channels/${channel_id}/cards`, textCard(content))
const CANNOT_LEAVE = invalid('The owner cannot leave; transfer the workspace first')
const CANNOT_CHANGE = invalid("The owner's role cannot change")

async function members(): Promise<Member[]> {
  return (await owner.session<Member[]>('GET', `${path}/members`)).body
}
const roleOf = async (user_id: string) => (await members()).find(one => one.user_id === user_id)?.role

test('the list has the owner first, then the members by name', async () => {
  const list = await members()
  expect(list.map(({ role }) => role)[0]).toBe('owner')
  const { body } = await owner.session<ListedWorkspace>('GET', path)
  expect(list[0]).toStrictEqual({
    user_id: owner.user_id,
    name: 'Ann',
    email: owner.email,
    role: 'owner',
    joined_at: body.created_at,
  })
  expect(new Set(list.map(({ user_id }) => user_id))).toEqual(
    new Set([owner, editor, member, viewer].map(({ user_id }) => user_id)),
  )
  await viewer.session('PATCH', '/auth/account', { name: 'Aaron' })
  expect((await members())[1]).toMatchObject({ name: 'Aaron', role: 'viewer' })
  await viewer.session('PATCH', '/auth/account', { name: 'Ann' })
})

test('lists have owned workspaces first, with the role; keys list only what their person runs', async () => {
  const listed = async (list: Promise<{ body: ListedWorkspace[] }>) =>
    (await list).body.filter(({ id }) => id === team.workspace_id).map(({ role }) => role)
  for (const [role, { session, key }] of Object.entries(people)) {
    const shown = role === 'stranger' ? [] : [role]
    expect(await listed(session('GET', '/workspaces'))).toEqual(shown)
    expect(await listed(key('GET', '/workspaces'))).toEqual(
      role === 'owner' || role === 'editor' ? shown : [],
    )
  }
  const own = (await editor.session<ListedWorkspace[]>('GET', '/workspaces')).body.map(({ role }) => role)
  expect(own.slice(0, 1)).toEqual(['owner'])
  expect(own.lastIndexOf('owner')).toBeLessThan(own.indexOf('editor'))
})

describe('the role of a member', () => {
  test('the owner gives every role, an editor member and viewer', async () => {
    expect(await owner.session('PATCH', of(member.user_id), { role: 'editor' })).toMatchObject({
      status: 200,
      body: { user_id: member.user_id, role: 'editor', email: member.email },
    })
    expect(await editor.session('PATCH', of(member.user_id), { role: 'viewer' })).toMatchObject(denied)
    await owner.session('PATCH', of(member.user_id), { role: 'member' })
    expect(await editor.session('PATCH', of(member.user_id), { role: 'viewer' })).toMatchObject({
      status: 200,
    })
    expect(await editor.session('PATCH', of(viewer.user_id), { role: 'member' })).toMatchObject({
      status: 200,
    })
    expect(await editor.session('PATCH', of(viewer.user_id), { role: 'editor' })).toMatchObject(denied)
  })

  test('members and viewers change nobody', async () => {
    for (const { session } of [member, viewer])
      for (const { user_id } of [owner, editor])
        expect(await session('PATCH', of(user_id), { role: 'viewer' })).toMatchObject(denied)
  })

  test('everyone but the owner may lower their own role, and not raise it', async () => {
    expect(await viewer.session('PATCH', of('me'), { role: 'member' })).toMatchObject(denied)
    expect(await member.session('PATCH', of('me'), { role: 'member' })).toMatchObject({ status: 200 })
    expect(await member.session('PATCH', of(member.user_id), { role: 'viewer' })).toMatchObject({
      status: 200,
    })
    expect(await member.session('PATCH', of('me'), { role: 'member' })).toMatchObject(denied)
    expect(await editor.session('PATCH', of('me'), { role: 'member' })).toMatchObject({ status: 200 })
    for (const id of ['me', owner.user_id])
      expect(await owner.session('PATCH', of(id), { role: 'editor' })).toMatchObject(CANNOT_CHANGE)
    expect(await roleOf(owner.user_id)).toBe('owner')
  })

  test('the owner’s entry: 400 for those who manage members, 403 for others', async () => {
    expect(await editor.session('PATCH', of(owner.user_id), { role: 'viewer' })).toMatchObject(CANNOT_CHANGE)
    expect(await editor.session('DELETE', of(owner.user_id))).toMatchObject(CANNOT_LEAVE)
    expect(await member.session('DELETE', of(owner.user_id))).toMatchObject(denied)
  })

  test('bad input', async () => {
    const rule = 'role must be one of editor, member, viewer'
    for (const role of ['owner', 'admin', null, 1])
      expect(await owner.session('PATCH', of(member.user_id), { role })).toMatchObject(invalid(rule))
    expect(await owner.session('PATCH', of(member.user_id), {})).toMatchObject(invalid('role is required'))
    for (const id of ['x', crypto.randomUUID(), stranger.user_id])
      for (const method of ['PATCH', 'DELETE'])
        expect(await owner.session(method, of(id), { role: 'viewer' })).toMatchObject(notFound('Member'))
    expect(await roleOf(member.user_id)).toBe('member')
  })
})

describe('removal', () => {
  test('the owner removes anyone, an editor members and viewers, and everyone else leaves', async () => {
    expect(await editor.session('DELETE', of(member.user_id))).toMatchObject({ status: 204 })
    expect(await viewer.session('DELETE', of('me'))).toMatchObject({ status: 204 })
    expect(await viewer.session('DELETE', of('me'))).toMatchObject(denied)
    expect(await owner.session('DELETE', of('me'))).toMatchObject(CANNOT_LEAVE)
    const second = await createAccount(service)
    await join(owner, team.workspace_id, second, 'editor')
    expect(await editor.session('DELETE', of(second.user_id))).toMatchObject(denied)
    expect(await owner.session('DELETE', of(second.user_id))).toMatchObject({ status: 204 })
    expect(await second.session('GET', path)).toMatchObject(denied)
    expect((await members()).map(({ role }) => role)).toEqual(['owner', 'editor'])
  })

  test('keys confined to the workspace end, other keys lose access; both at once', async () => {
    const { workspace_id, channel_id } = team
    const confined = await createTestKey(editor.session, { workspace_id })
    const key = withKey(service.url, confined.key)
    for (const call of [key, editor.key])
      expect(await push(call, channel_id, 'Hello')).toMatchObject({ status: 201 })
    expect(await owner.session<WorkspaceKey[]>('GET', `${path}/api-keys`)).toMatchObject({
      body: [{ id: confined.id, workspace_id, user: { id: editor.user_id, name: 'Ann' } }],
    })
    await owner.session('PATCH', of(editor.user_id), { role: 'member' })
    expect(await push(key, channel_id, 'No')).toMatchObject(failed(401, 'Unauthorized'))
    expect(await push(editor.key, channel_id, 'No')).toMatchObject(denied)
    expect(await push(editor.session, channel_id, 'No')).toMatchObject(denied)
    expect((await owner.session('GET', `${path}/api-keys`)).body).toEqual([])
  })

  test('the owner ends a key of an editor; a key of another workspace stays unknown', async () => {
    const { workspace_id } = team
    const { id, key } = await createTestKey(editor.session, { workspace_id })
    const elsewhere = await createTestKey(owner.session, { workspace_id: owner.workspace_id })
    expect(await owner.session('DELETE', `${path}/api-keys/${elsewhere.id}`)).toMatchObject(
      notFound('API key'),
    )
    expect(await owner.session('DELETE', `${path}/api-keys/${id}`)).toMatchObject({ status: 204 })
    expect(await withKey(service.url, key)('GET', '/workspaces')).toMatchObject({ status: 401 })
  })

  test('only owner and editors create keys confined to a workspace', async () => {
    const { workspace_id } = team
    for (const { session } of [member, viewer, stranger])
      expect(await session('POST', '/api-keys', { name: 'Key', workspace_id })).toMatchObject(denied)
  })

  test('stored responses of a removed person end with the role', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const card = await push(owner.key, team.channel_id, 'One')
    const at = `/channels/${team.channel_id}/cards/${card.body.id}`
    const body = { status: 'success' }
    expect(await editor.key('PATCH', at, body, headers)).toMatchObject({ status: 200 })
    await owner.session('DELETE', of(editor.user_id))
    await join(owner, team.workspace_id, editor, 'editor')
    const again = await editor.key('PATCH', at, { status: 'error' }, headers)
    // Not 422: the key is free again.
    expect(again).toMatchObject({ status: 200, body: { status: 'error' } })
  })

  test('an editor’s stored response doesn’t show a card that is deleted', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const card = await push(owner.key, team.channel_id, 'Secret')
    const at = `/channels/${team.channel_id}/cards/${card.body.id}`
    const body = { status: 'success' }
    expect(await editor.key('PATCH', at, body, headers)).toMatchObject({ status: 200 })
    expect(await owner.key('DELETE', at)).toMatchObject({ status: 204 })
    expect(await editor.key('PATCH', at, body, headers)).toMatchObject(notFound('Card'))
  })
})

describe('limits', () => {
  const limited = runService({ DAILY_CARD_LIMIT: '2', DAILY_CHANNEL_LIMIT: '2' })

  test('what an editor creates counts against the owner’s limits; the page says so', async () => {
    const at = await limited
    const [ann, bob] = [await createAccount(at), await createAccount(at)]
    await join(ann, ann.workspace_id, bob, 'editor')
    const usage = async (query = '') => (await bob.session<Usage>('GET', `/usage${query}`)).body
    const channel_id = await createChannel({ ...bob, workspace_id: ann.workspace_id })
    expect(await push(bob.key, channel_id, '1')).toMatchObject({ status: 201 })
    const shared = await usage(`?workspace_id=${ann.workspace_id}`)
    expect(shared).toMatchObject({ cards: { used: 1 }, channels: { used: 1 }, workspaces: { used: 1 } })
    expect(await usage()).toMatchObject({ cards: { used: 0 }, channels: { used: 0 } })
    await push(ann.key, channel_id, '2')
    expect(await push(bob.key, channel_id, '3')).toMatchObject(failed(429, 'Daily card limit reached'))
    expect(await bob.session('GET', '/usage?workspace_id=x')).toMatchObject(notFound('Workspace'))
  })
})

describe('transfer', () => {
  afterEach(async () => {
    await editor.session('POST', `${path}/transfer`, { user_id: owner.user_id })
  })

  test('a member becomes the owner, and the owner an editor', async () => {
    const { workspace_id, channel_id } = team
    const moved = await owner.session('POST', `${path}/transfer`, { user_id: editor.user_id })
    expect(moved).toMatchObject({
      status: 200,
      body: { id: workspace_id, user_id: editor.user_id, role: 'editor' },
    })
    const list = (await editor.session<Member[]>('GET', `${path}/members`)).body
    expect(list.map(({ user_id, role }) => [user_id, role]).slice(0, 1)).toEqual([[editor.user_id, 'owner']])
    expect(list.find(({ user_id }) => user_id === owner.user_id)?.role).toBe('editor')
    expect(await owner.session('DELETE', path)).toMatchObject(denied)
    expect(await push(owner.key, channel_id, 'Still')).toMatchObject({ status: 201 })
    const before = (await editor.session<Usage>('GET', '/usage')).body.cards.used
    await push(owner.key, channel_id, 'Counted')
    expect((await editor.session<Usage>('GET', '/usage')).body.cards.used).toBe(before + 1)
  })

  test('to oneself: nothing changes; to someone who isn’t in the list: 404', async () => {
    expect(await owner.session('POST', `${path}/transfer`, { user_id: owner.user_id })).toMatchObject({
      status: 200,
      body: { user_id: owner.user_id },
    })
    for (const user_id of [stranger.user_id, crypto.randomUUID(), 'x', ''])
      expect(await owner.session('POST', `${path}/transfer`, { user_id })).toMatchObject(notFound('Member'))
    expect(await owner.session('POST', `${path}/transfer`, {})).toMatchObject(invalid('user_id is required'))
  })

  test('invites for editors that the old owner made end', async () => {
    const token = await inviteTo(owner, team.workspace_id, { role: 'editor' })
    const kept = await inviteTo(owner, team.workspace_id, { role: 'viewer' })
    await owner.session('POST', `${path}/transfer`, { user_id: editor.user_id })
    expect(await stranger.session('POST', '/invites/preview', { token })).toMatchObject(notFound('Invite'))
    expect(await stranger.session('POST', '/invites/preview', { token: kept })).toMatchObject({ status: 200 })
  })
})

test('the new owner must be below the workspace limit', async () => {
  const at = await runService({ WORKSPACE_LIMIT: '1' })
  const [ann, bob] = [await createAccount(at), await createAccount(at)]
  await join(ann, ann.workspace_id, bob, 'editor')
  const transfer = `/workspaces/${ann.workspace_id}/transfer`
  expect(await ann.session('POST', transfer, { user_id: bob.user_id })).toMatchObject(
    failed(429, 'Workspace limit reached'),
  )
  await at.stop()
})

test('waiting deliveries follow the workspace to its new owner', async () => {
  const channel_id = await createChannel(
    { ...owner, workspace_id: team.workspace_id },
    {
      mode: 'interactive',
      webhook_url: 'http://127.0.0.1:9/never',
    },
  )
  await owner.session('POST', `/channels/${channel_id}/interactions`, {
    trigger: { type: 'reply', text: 'Hi' },
  })
  await owner.session('POST', `${path}/transfer`, { user_id: editor.user_id })
  const [queue] = await service.sql`select owner_id from webhook_queues where channel_id = ${channel_id}`
  expect(queue).toEqual({ owner_id: editor.user_id })
})

test('a person may delete the last workspace that they own only if it isn’t the last, whatever they joined', async () => {
  const someone = await createAccount(service)
  await join(owner, team.workspace_id, someone, 'member')
  expect(await someone.session('DELETE', `/workspaces/${someone.workspace_id}`)).toMatchObject(
    invalid('Cannot delete the last workspace'),
  )
  await createTestWorkspace(someone.session)
  expect(await someone.session('DELETE', `/workspaces/${someone.workspace_id}`)).toMatchObject({
    status: 200,
  })
})
