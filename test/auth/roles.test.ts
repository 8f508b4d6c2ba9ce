// The cache of roles: what costs a query, and when a role is read again.
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createRoles } from '../../server/auth/roles.ts'
import { ChannelRegister } from '../../server/model/channels.ts'
import type { Routes } from '../../server/routes/deps.ts'
import { ownChannel } from '../../server/routes/own-channel.ts'
import { runService } from '../support/running.ts'
import { createPeople, createTeam } from '../support/team.ts'
import { countQueries } from './count-queries.ts'

const service = await runService()
const people = await createPeople(service)
const team = await createTeam(people)
const { workspace_id } = team

let now = 0
const setUp = () => {
  const counted = countQueries(service.sql)
  return { ...counted, roles: createRoles(counted.sql, () => now) }
}

test('M6: the owner’s requests cost no query, an editor’s none after the first', async () => {
  const { roles, queries } = setUp()
  const register = new ChannelRegister(service.sql)
  const app: Routes = new Hono()
  let user_id = ''
  app.use(async (c, next) => {
    c.set('user_id', user_id)
    await next()
  })
  app.get('/:channelId', ownChannel(register, roles), c => c.text('run'))
  const statusOf = async (id: string) => {
    user_id = id
    return (await app.request(`/${team.channel_id}`)).status
  }
  for (let i = 0; i < 3; i++) expect(await statusOf(people.owner.user_id)).toBe(200)
  expect(queries()).toBe(0)
  for (let i = 0; i < 3; i++) expect(await statusOf(people.editor.user_id)).toBe(200)
  expect(queries()).toBe(1)
})

test('the lack of a role is kept too', async () => {
  const { roles, queries } = setUp()
  expect(await roles.find(workspace_id, people.stranger.user_id)).toBeNull()
  expect(roles.find(workspace_id, people.stranger.user_id)).toBeNull()
  expect(queries()).toBe(1)
})

test('a change that is noticed is read again, for that person alone', async () => {
  const { roles, queries } = setUp()
  await roles.find(workspace_id, people.editor.user_id)
  await roles.find(workspace_id, people.member.user_id)
  roles.forget(workspace_id, people.editor.user_id)
  roles.forget(randomUUID(), people.member.user_id)
  expect(roles.find(workspace_id, people.member.user_id)).toBe('member')
  expect(await roles.find(workspace_id, people.editor.user_id)).toBe('editor')
  expect(queries()).toBe(3)
  roles.forgetWorkspace(workspace_id)
  await roles.find(workspace_id, people.editor.user_id)
  expect(queries()).toBe(4)
})

test('a role that changes while it is read is read again', async () => {
  const { roles, hold, queries } = setUp()
  const held = hold()
  const found = roles.find(workspace_id, people.viewer.user_id)
  await held.answered
  roles.forget(workspace_id, people.viewer.user_id)
  held.release()
  expect(await found).toBe('viewer')
  expect(queries()).toBe(2)
})

test('a role is trusted for a minute, and for a second while notices may be lost', async () => {
  const { roles, queries } = setUp()
  await roles.find(workspace_id, people.editor.user_id)
  now += 60_000
  expect(roles.find(workspace_id, people.editor.user_id)).toBe('editor')
  now += 1
  await roles.find(workspace_id, people.editor.user_id)
  expect(queries()).toBe(2)
  roles.busConnected(false)
  now += 1_001
  await roles.find(workspace_id, people.editor.user_id)
  expect(queries()).toBe(3)
  roles.busConnected(true)
  await roles.find(workspace_id, people.editor.user_id)
  expect(queries()).toBe(4)
})
