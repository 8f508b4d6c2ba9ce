// What people with a role do in a channel, how others see them, and who is asked.
import { beforeEach, describe, expect, test } from 'vitest'
import type { ChannelView } from '../../shared/channel-view.ts'
import type { FullDecision } from '../../shared/decision.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import type { Account } from '../support/account.ts'
import { textCard } from '../support/cards.ts'
import { patchWorkspace } from '../support/channels.ts'
import { ask, question } from '../support/decisions.ts'
import { denied, failed, forbidden } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { createPeople, createTeam, type Team } from '../support/team.ts'

const service = await runService({ WORKSPACE_LIMIT: '0', ACT_LIMIT: '0' })
const people = await createPeople(service)
const { owner, editor, member, viewer, stranger } = people

let team: Team
let channel: string
beforeEach(async () => {
  team = await createTeam(people)
  channel = `/channels/${team.channel_id}`
})

const view = async ({ session }: Account) => (await session<ChannelView>('GET', `${channel}/view`)).body
const press = ({ session }: Account, card_id: string, more: object = {}) =>
  session('POST', `${channel}/interactions`, {
    card_id,
    trigger: { type: 'button_click', button_id: 'yes' },
    ...more,
  })
const decisionAt = async (path: string) => (await owner.session<FullDecision>('GET', path)).body
const removed = ({ user_id }: Account) =>
  owner.session('DELETE', `/workspaces/${team.workspace_id}/members/${user_id}`)

test('the view says what each role may do, and who the owner is', async () => {
  const owner_name = 'Ann'
  const rights = { owner_name, chosen: {} }
  expect(await view(owner)).toMatchObject({ role: 'owner', can_edit: true, can_act: true, ...rights })
  expect(await view(editor)).toMatchObject({ role: 'editor', can_edit: true, can_act: true, ...rights })
  expect(await view(member)).toMatchObject({ role: 'member', can_edit: false, can_act: true, ...rights })
  expect(await view(viewer)).toMatchObject({ role: 'viewer', can_edit: false, can_act: false, ...rights })
  expect((await view(owner)).you).toEqual({ kind: 'owner', name: 'Ann' })
  for (const one of [editor, member, viewer])
    expect((await view(one)).you).toEqual({ kind: 'member', name: 'Ann' })
  await patchWorkspace({ ...owner, workspace_id: team.workspace_id }, { visibility: 'public' })
  const anybody = await view(stranger)
  expect(anybody).toMatchObject({ role: null, can_edit: false, can_act: true })
  expect(anybody).not.toHaveProperty('owner_name')
  expect(anybody).not.toHaveProperty('chosen')
  expect(await view(viewer)).toMatchObject({ role: 'viewer', can_act: true })
})

test('a viewer’s press is refused before its body is read; in a public workspace it counts', async () => {
  const { card_id } = await ask(owner.key, team.channel_id, { who: 'anyone' })
  expect(await press(viewer, card_id)).toMatchObject(denied)
  expect(await viewer.session('POST', `${channel}/interactions`, '{')).toMatchObject(denied)
  await patchWorkspace({ ...owner, workspace_id: team.workspace_id }, { visibility: 'public' })
  expect(await press(viewer, card_id)).toMatchObject({ status: 201 })
})

describe('a question', () => {
  test('members: owner, editors and members, and no viewer', async () => {
    for (const one of [owner, editor, member]) {
      const { card_id, path } = await ask(owner.key, team.channel_id, { who: 'members' })
      expect(await press(one, card_id)).toMatchObject({ status: 201 })
      const kind = one === owner ? 'owner' : 'member'
      expect((await decisionAt(path)).outcome?.by).toMatchObject({ kind, name: 'Ann', user_id: one.user_id })
    }
    await patchWorkspace({ ...owner, workspace_id: team.workspace_id }, { visibility: 'public' })
    const { card_id } = await ask(owner.key, team.channel_id, { who: 'members' })
    for (const one of [viewer, stranger])
      expect(await press(one, card_id)).toMatchObject(forbidden('You may not decide this'))
  })

  test('the owner is the owner of the moment of the press', async () => {
    const { card_id, path } = await ask(owner.key, team.channel_id, { who: 'owner' })
    expect(await press(editor, card_id)).toMatchObject(forbidden('You may not decide this'))
    await owner.session('POST', `/workspaces/${team.workspace_id}/transfer`, { user_id: editor.user_id })
    expect(await press(owner, card_id)).toMatchObject(forbidden('You may not decide this'))
    expect(await press(editor, card_id)).toMatchObject({ status: 201 })
    expect((await editor.session<FullDecision>('GET', path)).body.outcome?.by.kind).toBe('owner')
    await editor.session('POST', `/workspaces/${team.workspace_id}/transfer`, { user_id: owner.user_id })
  })

  test('chosen people: the page says their names to people with a role, and to nobody else', async () => {
    await member.session('PATCH', '/auth/account', { name: 'Bob' })
    const who = [member.email, stranger.email]
    const body = { blocks: question({ who }) }
    const { body: created } = await owner.key<{
      id: string
      decisions: { id: string }[]
      warnings: string[]
    }>('POST', `${channel}/cards`, body)
    expect(created.warnings).toEqual(['who[1] cannot see this channel'])
    const [decision] = created.decisions
    const chosen = { [decision?.id ?? '']: ['Bob', 'Ann'] }
    for (const one of [owner, editor, member, viewer]) expect((await view(one)).chosen).toEqual(chosen)
    expect((await view(member)).may_decide).toEqual([decision?.id])
    expect(await press(stranger, created.id)).toMatchObject(denied)
    await removed(member)
    expect(await press(member, created.id)).toMatchObject(denied)
    await member.session('PATCH', '/auth/account', { name: 'Ann' })
  })

  test('a chosen viewer may not act, and is told so', async () => {
    const { card_id } = await ask(owner.key, team.channel_id, { who: [viewer.email] })
    expect((await view(viewer)).may_decide).toEqual([])
    expect(await press(viewer, card_id)).toMatchObject(denied)
    const waiting = await viewer.session<{ total: number }>('GET', `${channel}/waiting`)
    expect(waiting.body.total).toBe(0)
    expect((await member.session<{ total: number }>('GET', `${channel}/waiting`)).body.total).toBe(0)
  })
})

test('a question asked from the dashboard names its asker’s kind; two editors are two askers', async () => {
  const body = { blocks: question({ key: 'release', who: 'members' }) }
  const asked = await editor.session<{ decisions: { id: string }[] }>('POST', `${channel}/cards`, body)
  const path = `${channel}/decisions/${asked.body.decisions[0]?.id}`
  expect((await decisionAt(path)).asked_by).toEqual({ kind: 'member', name: 'Ann' })
  expect(await editor.session('POST', `${channel}/cards`, body)).toMatchObject({ body: { joined: true } })
  expect(await owner.session('POST', `${channel}/cards`, body)).toMatchObject(
    failed(409, 'A different question with this key is waiting'),
  )
})

test('people with a role act by name; the log shows the role and the address of today', async () => {
  const card = await owner.key<{ id: string }>('POST', `${channel}/cards`, textCard())
  const reply = { card_id: card.body.id, trigger: { type: 'reply', text: 'Hello' } }
  for (const [one, as] of [
    [member, {}],
    [editor, {}],
    [member, { as: 'anonymous' }],
  ] as const)
    expect(await one.session('POST', `${channel}/interactions`, { ...reply, ...as })).toMatchObject({
      status: 201,
    })
  const log = async () =>
    (await editor.session<{ interactions: LoggedInteraction[] }>('GET', `${channel}/interactions`)).body
      .interactions
  const people = async () => (await log()).map(({ by, user }) => [by.kind, by.user_id, user?.email ?? null])
  expect(await people()).toEqual([
    ['anonymous', null, null],
    ['member', editor.user_id, editor.email],
    ['member', member.user_id, member.email],
  ])
  await removed(member)
  expect((await people())[2]).toEqual(['user', member.user_id, null])
})
