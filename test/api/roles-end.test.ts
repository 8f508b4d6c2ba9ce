// When a role ends or changes, everything that it opened ends within two seconds on every instance; within ten if the notice
// is lost with the instance that made the change.
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestKey, withKey } from '../support/account.ts'
import { textCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { ask } from '../support/decisions.ts'
import { denied, failed } from '../support/errors.ts'
import { listenTo } from '../support/event-stream.ts'
import { openPage } from '../support/open-page.ts'
import { enter } from '../support/pass.ts'
import { runInstances } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { createPeople, createTeam, join, type Team } from '../support/team.ts'

const WITHIN_MS = 2_000
/** If nobody tells. */
const UNTOLD_MS = 10_000

const { here, there } = await runInstances({ WORKSPACE_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0' })
const people = await createPeople(here)
const { owner, editor, member, viewer } = people

let team: Team
let path: string
beforeEach(async () => {
  team = await createTeam(people)
  path = `/workspaces/${team.workspace_id}/members`
})

/** Runs the change, then waits for all ends. Throws if they take too long. */
async function endWithin(ms: number, change: () => Promise<unknown>, ...ends: Promise<unknown>[]) {
  await change()
  const began = performance.now()
  const ended = await Promise.all(ends)
  const took = performance.now() - began
  if (took > ms) throw new Error(`ended after ${Math.round(took)} ms`)
  return ended
}

const remove = (user_id: string) => () => owner.session('DELETE', `${path}/${user_id}`)
const give = (user_id: string, role: string) => () => owner.session('PATCH', `${path}/${user_id}`, { role })
/** As if the instance died between its commit and the notice. */
const removeUntold = (user_id: string) => () =>
  here.sql`delete from workspace_members where workspace_id = ${team.workspace_id} and user_id = ${user_id}`

/** Everything that an editor can have open. */
async function openAll(url: string) {
  const key = await createTestKey(editor.session, { workspace_id: null })
  const asked = await ask(owner.key, team.channel_id)
  const waiting = withKey(url, key.key)('GET', `${asked.path}?wait=60`)
  const stream = await listenTo(url, key.key, team.channel_id)
  const socket = await enter(url, team.channel_id, { cookie: editor.cookie })
  const keySocket = await enter(url, team.channel_id, { token: key.key })
  const page = await openPage(url, team.slug, editor.cookie)
  // The wait is open once its request holds a place.
  await expect.poll(() => here.waits.open.length + there.waits.open.length).toBeGreaterThan(0)
  return { key, socket, keySocket, page, stream, waiting }
}

describe.each([
  ['the same instance', here.url],
  ['the other instance', there.url],
])('%s', (_, url) => {
  test('M2: a removed editor’s sockets, page, event stream and wait end, and the next request is refused', async () => {
    const { key, socket, keySocket, page, stream, waiting } = await openAll(url)
    const sockets = [socket.closed, keySocket.closed, page.closed]
    await endWithin(WITHIN_MS, remove(editor.user_id), ...sockets, stream.ended, waiting)
    expect(await Promise.all(sockets)).toEqual([4403, 4403, 4403])
    expect(await waiting).toMatchObject(denied)
    expect(
      await withKey(url, key.key)('POST', `/channels/${team.channel_id}/cards`, textCard()),
    ).toMatchObject(denied)
  })

  test('M2: an editor who becomes a viewer keeps the sockets of the session, and loses what runs the channel', async () => {
    const { socket, keySocket, page, stream, waiting } = await openAll(url)
    const ends = [keySocket.closed, stream.ended, waiting]
    await endWithin(WITHIN_MS, give(editor.user_id, 'viewer'), ...ends)
    expect([socket.isOpen(), page.isOpen()]).toEqual([true, true])
  })

  test('the key of a removed person that is confined to the workspace ends', async () => {
    const { workspace_id, channel_id } = team
    const { key } = await createTestKey(editor.session, { workspace_id })
    const socket = await enter(url, channel_id, { token: key })
    expect(await endWithin(WITHIN_MS, remove(editor.user_id), socket.closed)).toEqual([4401])
    expect(await withKey(url, key)('GET', `/channels/${channel_id}`)).toMatchObject(
      failed(401, 'Unauthorized'),
    )
  })

  test('a protected workspace closes with 4401, because the password would open it again', async () => {
    await patchWorkspace(
      { ...owner, workspace_id: team.workspace_id },
      { visibility: 'protected', password: PASSWORD },
    )
    const socket = await enter(url, team.channel_id, { cookie: viewer.cookie })
    expect(await endWithin(WITHIN_MS, remove(viewer.user_id), socket.closed)).toEqual([4401])
  })

  test('a page that stays open shows the new right', async () => {
    const page = await openPage(url, team.slug, member.cookie)
    expect(page.shows()).toMatchObject({ role: 'member', can_edit: false, can_act: true, owner_name: 'Ann' })
    await give(member.user_id, 'editor')()
    await expect.poll(() => page.shows()).toMatchObject({ role: 'editor', can_edit: true })
    await give(member.user_id, 'viewer')()
    await expect.poll(() => page.shows()).toMatchObject({ role: 'viewer', can_edit: false, can_act: false })
  })

  test('someone who was refused gets in once they have joined', async () => {
    const { stranger } = people
    const call = withKey(url, stranger.api_key)
    const at = `/channels/${team.channel_id}`
    expect(await call('GET', at)).toMatchObject(denied)
    await join(owner, team.workspace_id, stranger, 'editor')
    await expect.poll(async () => (await call('GET', at)).status).toBe(200)
  })

  test('M3: after a transfer, cards are charged to the new owner', async () => {
    const channel_id = await createChannel({ ...owner, workspace_id: team.workspace_id })
    const call = withKey(url, owner.api_key)
    const push = () => call('POST', `/channels/${channel_id}/cards`, textCard())
    const used = async () => {
      const [row] = await here.sql<{ cards: number }[]>`
        select coalesce(sum(cards), 0)::integer as cards from daily_usage where user_id = ${editor.user_id}`
      return row?.cards ?? 0
    }
    await push()
    await owner.session('POST', `/workspaces/${team.workspace_id}/transfer`, { user_id: editor.user_id })
    const before = await used()
    await expect
      .poll(async () => {
        expect(await push()).toMatchObject({ status: 201 })
        return used()
      })
      .toBeGreaterThan(before)
  })
})

test('M2: if the notice is lost with its instance, everything has ended after ten seconds', async () => {
  const { key, socket, keySocket, page, stream, waiting } = await openAll(there.url)
  const ends = [socket.closed, keySocket.closed, page.closed, stream.ended, waiting]
  await endWithin(UNTOLD_MS, removeUntold(editor.user_id), ...ends)
  const call = withKey(there.url, key.key)
  expect(await call('GET', `/channels/${team.channel_id}`)).toMatchObject(denied)
})

test('messages of the page never tell viewers how the webhook is doing', async () => {
  const page = await openPage(here.url, team.slug, viewer.cookie)
  expect(JSON.stringify(page.ofType('page'))).not.toContain('"webhook"')
  const edits = await openPage(here.url, team.slug, editor.cookie)
  expect(JSON.stringify(edits.ofType('page'))).toContain('"webhook"')
})
