// A workspace becomes public only after its receipts are hidden, whatever fails on the way.
import { beforeEach, expect, test } from 'vitest'
import { forgetOldReceipts, hideLeftReceipts, stopStaleHiding } from '../../server/model/receipts.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { failed } from '../support/errors.ts'
import { countLockWaits } from '../support/locks.ts'
import {
  asOlga,
  channelPath,
  go,
  olga,
  press,
  receipts,
  rows,
  scene,
  service,
  set,
  setReceiptScene,
  there,
} from '../support/receipt-scene.ts'
import { sceneAt } from '../support/scene.ts'
import { callTo, create } from '../support/service.ts'
import { until } from '../support/viewer.ts'

await setReceiptScene()
beforeEach(async () => {
  await patchWorkspace(olga, { visibility: 'private' })
  await set('auto')
  await press(go(), asOlga)
  expect(await rows()).toHaveLength(1)
})

const { sql } = service
const becomePublic = () =>
  olga.session('PATCH', `/workspaces/${olga.workspace_id}`, { visibility: 'public', name: 'Open' })
const visibility = async () =>
  (await olga.session<{ visibility: string; name: string }>('GET', `/workspaces/${olga.workspace_id}`)).body
const visit = () => callTo(`${there.url}/api`)('GET', `${channelPath()}/first-cards`)
const hasStopped = async () =>
  (await sql`select from workspaces where becoming_public_at is not null`).length === 0

/** Runs `work` while no receipts of the scene's channel can be deleted. */
async function whileChannelFails(work: () => Promise<unknown>): Promise<void> {
  await sql.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger fail before delete or update on card_receipts for each row
      when (old.channel_id = '${scene.channel_id}') execute function fail()`)
  await work().finally(() => sql`drop function fail cascade`)
}

async function anotherChannelWithReceipt(): Promise<string> {
  const channel_id = await createChannel(olga, { mode: 'interactive' })
  const blocks = [{ type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go' }] }]
  const { id } = await create(olga.key, `/channels/${channel_id}/cards`, { blocks })
  await olga.session('POST', `/channels/${channel_id}/interactions`, go(id))
  expect(await countReceipts(channel_id)).toBe(1)
  return channel_id
}
const countReceipts = async (channel_id: string) =>
  (await sql`select from card_receipts where channel_id = ${channel_id}`).length

test('D7: if a channel’s receipts can’t be hidden, the workspace stays private, and shows new ones again', async () => {
  await whileChannelFails(async () => {
    expect(await becomePublic()).toMatchObject(failed(500, 'Internal server error'))
    expect(await visibility()).toMatchObject({ visibility: 'private', name: 'Team' })
    expect(await visit()).toMatchObject({ status: 401 })
  })
  expect(await hasStopped()).toBe(true)
  await press(go(), asOlga)
  expect((await receipts())?.buttons?.total).toBe(2)
  expect(await becomePublic()).toMatchObject({ status: 200, body: { visibility: 'public', name: 'Open' } })
  expect(await rows()).toEqual([])
  expect(await hasStopped()).toBe(true)
  await patchWorkspace(olga, { name: 'Team' })
})

test('D7: a workspace becomes public only after its receipts are gone, also those of presses that come meanwhile', async () => {
  const { becoming } = await sql.begin(async tx => {
    await tx`select from documents where channel_id = ${scene.channel_id} for update`
    const becoming = becomePublic()
    await until(async () => !(await hasStopped()), 'the service begins to hide')
    await until(async () => (await countLockWaits(sql)) > 0, 'it waits for the channel')
    expect(await visibility()).toMatchObject({ visibility: 'private' })
    expect(await visit()).toMatchObject({ status: 401 })
    return { becoming }
  })
  const pressing = press(go(), asOlga, sceneAt(there, scene))
  expect(await becoming).toMatchObject({ status: 200 })
  expect(await pressing).toMatchObject({ status: 201 })
  expect(await rows()).toEqual([])
  expect(JSON.stringify((await visit()).body)).not.toContain('Olga')
  await patchWorkspace(olga, { name: 'Team' })
})

test('a PATCH that is refused hides nothing', async () => {
  const wrong = { visibility: 'public', custom_slug: 'x' }
  expect((await olga.session('PATCH', `/workspaces/${olga.workspace_id}`, wrong)).status).toBe(400)
  const other = await create<{ slug: string }>(olga.session, '/workspaces', { name: 'Other' })
  const taken = { visibility: 'public', custom_slug: other.slug }
  expect((await olga.session('PATCH', `/workspaces/${olga.workspace_id}`, taken)).status).toBe(400)
  expect(await rows()).toHaveLength(1)
})

test('an instance that dies while it hides receipts leaves a workspace that shows new ones within the hour', async () => {
  await sql`
    update workspaces set becoming_public_at = now() - interval '11 minutes' where id = ${olga.workspace_id}`
  await press(go(), asOlga)
  expect((await receipts())?.buttons?.total).toBe(1)
  await stopStaleHiding(sql)
  await press(go(), asOlga)
  expect((await receipts())?.buttons?.total).toBe(2)
})

test('the hourly repair goes on after a channel that fails', async () => {
  const other = await anotherChannelWithReceipt()
  await sql`update workspaces set visibility = 'public' where id = ${olga.workspace_id}`
  await whileChannelFails(async () => {
    await expect(hideLeftReceipts(sql, service.feeds)).rejects.toThrow('broken')
    expect(await countReceipts(other)).toBe(0)
  })
  await hideLeftReceipts(sql, service.feeds)
  expect(await rows()).toEqual([])
  await sql`update workspaces set visibility = 'private' where id = ${olga.workspace_id}`
})

test('retention of receipts goes on after a channel that fails', async () => {
  const other = await anotherChannelWithReceipt()
  await whileChannelFails(async () => {
    await expect(forgetOldReceipts(sql, service.feeds, 0, Date.now() + 1_000)).rejects.toThrow('broken')
    const [left] = await sql<{ oldest: string | null }[]>`
      select oldest from card_receipts where channel_id = ${other}`
    expect(left).toEqual({ oldest: null })
  })
})
