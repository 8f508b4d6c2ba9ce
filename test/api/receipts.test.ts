// Receipts: every viewer sees who pressed a button or header action. Section 10 of the contract.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { beginEpoch } from '../../server/feed/epochs.ts'
import { forgetOldReceipts, hideLeftReceipts } from '../../server/model/receipts.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { touchedOf } from '../../shared/channel-doc.ts'
import { actOf } from '../../shared/decision-rules.ts'
import type { CardActs, HeaderActs } from '../../shared/receipt.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { createAccount } from '../support/account.ts'
import { textCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { readLog } from '../support/deliveries.ts'
import { invalid } from '../support/errors.ts'
import { listenTo } from '../support/event-stream.ts'
import { runInstance, runService } from '../support/running.ts'
import { buildScene, type Scene, sceneAt } from '../support/scene.ts'
import { create } from '../support/service.ts'
import { times } from '../support/times.ts'
import { type StockVersion, until, watch, watchSynced } from '../support/viewer.ts'

const service = await runService({ DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', ACT_LIMIT: '0' })
const there = await runInstance(service, { ACT_LIMIT: '0' })
const olga = await createAccount(service)
await olga.session('PATCH', '/auth/account', { name: 'Olga' })
const sam = await createAccount(service)
await sam.session('PATCH', '/auth/account', { name: 'Sam' })

let scene: Scene
beforeEach(async () => {
  scene = await buildScene(service, { account: olga })
  await set('on')
})

const channelPath = () => `/channels/${scene.channel_id}`
const set = (receipts: string) => olga.session('PATCH', channelPath(), { receipts })
const go = (card_id = scene.card_id) => ({ card_id, trigger: { type: 'button_click', button_id: 'go' } })
const refresh = () => ({ trigger: { type: 'header_action', action_id: scene.action_id } })
const asOlga = () => ({ Cookie: olga.cookie })
const press = (body: object = go(), headers?: Record<string, string>, at = scene) =>
  at.interact(body, headers)

async function documentOf(url = service.url): Promise<Y.Doc> {
  const viewer = await watchSynced(url, scene.channel_id, { token: olga.api_key })
  return viewer.doc
}
async function cardIn(page = 0, card_id = scene.card_id): Promise<PlacedCard | undefined> {
  const { body } = await olga.session<{ cards: PlacedCard[] }>('GET', `${channelPath()}/pages/${page}`)
  return body.cards.find(({ id }) => id === card_id)
}
const acts = async (): Promise<CardActs | undefined> => (await cardIn())?.acts
const headerActs = async () => (await documentOf()).getMap<HeaderActs>('channel').get('acts')
const rows = () => service.sql<{ card_id: string }[]>`
  select card_id from card_receipts where channel_id = ${scene.channel_id}
  union all select channel_id from header_receipts where channel_id = ${scene.channel_id}`
const lastSeq = async () => {
  const [row] = await service.sql<{ seq: number }[]>`
    select seq from documents where channel_id = ${scene.channel_id}`
  return row?.seq ?? 0
}

describe('10: a press', () => {
  test.each<StockVersion>(['3.1', '2.1'])('is shown by y-websocket %s as acts:<block>', async version => {
    const viewer = watch(service.url, scene.channel_id, { version, token: olga.api_key })
    await until(() => viewer.provider.synced, 'synced')
    const { status, body } = await press(go(), asOlga())
    expect(status).toBe(201)
    const map = () => viewer.doc.getMap<Y.Map<Y.Map<unknown>>>('pages').get('0')?.get(scene.card_id)
    await until(() => map()?.get('acts:buttons') !== undefined, 'the receipt')
    expect(map()?.get('acts:buttons')).toStrictEqual({
      total: 1,
      latest: [
        {
          button_id: 'go',
          label: 'Deploy',
          by: { kind: 'owner', name: 'Olga' },
          timestamp: body.timestamp,
          act: actOf(body.interaction_id),
        },
      ],
    })
    expect(map()?.get('acts:buttons')).toStrictEqual((await acts())?.buttons)
  })

  test('on a header action is shown in the channel’s map, by action', async () => {
    const { body } = await press(refresh(), asOlga())
    expect(await headerActs()).toStrictEqual({
      [scene.action_id]: {
        total: 1,
        latest: [
          {
            action_id: scene.action_id,
            label: 'Refresh',
            by: { kind: 'owner', name: 'Olga' },
            timestamp: body.timestamp,
            act: actOf(body.interaction_id),
          },
        ],
      },
    })
  })

  test('is answered and logged as without receipts', async () => {
    const sent = { ...go(), interaction_id: randomUUID(), values: { note: 'now' } }
    const first = await press(sent)
    await set('off')
    const second = await press({ ...sent, interaction_id: randomUUID() })
    const { interaction_id: _, timestamp: __, ...same } = second.body
    expect(first).toMatchObject({ status: 201, body: same })
    expect(Object.keys(first.body).sort()).toEqual(Object.keys(second.body).sort())
    await set('on')
    const repeated = await press(sent)
    expect(repeated.status).toBe(200)
    expect(repeated.body).toEqual(first.body)
    expect((await acts())?.buttons?.total).toBeUndefined()
  })

  test('the newest 5 are shown, all are counted', async () => {
    const sent: string[] = []
    for (let i = 0; i < 7; i++) sent.push((await press()).body.interaction_id)
    expect((await acts())?.buttons).toMatchObject({
      total: 7,
      latest: sent
        .slice(2)
        .reverse()
        .map(id => ({ act: actOf(id) })),
    })
  })

  test('changes, replies and refused presses leave none', async () => {
    const { card_id } = scene
    const refused = [
      await press({ card_id, trigger: { type: 'button_click', button_id: 'off' } }),
      await press({ card_id, trigger: { type: 'button_click', button_id: 'none' } }),
      await press(go(randomUUID())),
      await press({ trigger: { type: 'header_action', action_id: randomUUID() } }),
      await press({ ...go(), values: { note: 'x'.repeat(21) } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 404, 404, 404, 400])
    await press({ card_id, trigger: { type: 'input_change', block_id: 'note', value: 'x' } })
    await scene.reply('Hello')
    await olga.session('PATCH', channelPath(), { mode: 'view' })
    expect(await press()).toMatchObject({ status: 403, body: { error: 'Channel is not interactive' } })
    expect(await rows()).toEqual([])
    expect(await acts()).toBeUndefined()
    expect(await readLog(scene)).toHaveLength(2)
  })

  test('20 presses with one id at once count once', async () => {
    const sent = { ...go(), interaction_id: randomUUID() }
    const answers = await times(20, i => press(sent, {}, i % 2 ? sceneAt(there, scene) : scene))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect((await acts())?.buttons?.total).toBe(1)
    expect(await readLog(scene)).toHaveLength(1)
  })

  test('presses that share a turn cause one write per block', async () => {
    const before = (await documentOf()).share
    expect(before.size).toBeGreaterThan(0)
    const seq = await lastSeq()
    const blocked = service.feeds.get(scene.channel_id)
    let open = () => {}
    const paused = blocked.pause(
      new Promise(resolve => {
        open = resolve
      }),
    )
    await paused
    const all = times(30, () => press())
    await new Promise(resolve => setTimeout(resolve, 300))
    open()
    expect((await all).every(({ status }) => status === 201)).toBe(true)
    const turns = (await lastSeq()) - seq
    expect(turns).toBeLessThan(15)
    const [{ written = 0 } = {}] = await service.sql<{ written: number }[]>`
      select max(length(update)) as written from document_updates
      where channel_id = ${scene.channel_id} and seq > ${seq}`
    expect(written).toBeLessThan(1_500)
    expect((await acts())?.buttons?.total).toBe(30)
  })

  test('A6: presses on two instances agree in log, document and rows', async () => {
    const elsewhere = sceneAt(there, scene)
    const answers = await times(40, i => press(i % 4 ? go() : refresh(), {}, i % 2 ? elsewhere : scene))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(await readLog(scene)).toHaveLength(40)
    for (const { url } of [service, there]) {
      const doc = await documentOf(url)
      const header = doc.getMap<HeaderActs>('channel').get('acts')
      expect(header?.[scene.action_id]?.total).toBe(10)
    }
    expect((await acts())?.buttons?.total).toBe(30)
    await expectRowsMatchDocument(service.sql, scene.channel_id)
  })
})

describe('9: a receipt shows', () => {
  const shown = async () => (await acts())?.buttons?.latest[0]?.by
  const asSam = () => ({ Cookie: sam.cookie })

  test('a viewer without a session as anonymous', async () => {
    await press()
    expect(await shown()).toStrictEqual({ kind: 'anonymous', name: null })
  })

  test('a person without a role as anonymous, or by name on request', async () => {
    await press(go(), asSam())
    expect(await shown()).toStrictEqual({ kind: 'anonymous', name: null })
    await press({ ...go(), as: 'me' }, asSam())
    expect(await shown()).toStrictEqual({ kind: 'user', name: 'Sam' })
  })

  test('the owner by name, or anonymous on request', async () => {
    await press({ ...go(), as: 'anonymous' }, asOlga())
    expect(await shown()).toStrictEqual({ kind: 'anonymous', name: null })
    await press({ ...refresh(), as: 'anonymous' }, asOlga())
    expect((await headerActs())?.[scene.action_id]?.latest[0]?.by).toStrictEqual({
      kind: 'anonymous',
      name: null,
    })
  })
})

describe('10: the card in responses', () => {
  test('pages and first cards carry acts; REST and events stay as they are', async () => {
    const path = `${channelPath()}/cards/${scene.card_id}`
    const listener = await listenTo(service.url, olga.api_key, scene.channel_id)
    const before = (await olga.key('GET', path)).body
    await press()
    const carried = { acts: { buttons: { total: 1 } } }
    expect(await cardIn()).toMatchObject(carried)
    const first = await olga.session('GET', `${channelPath()}/first-cards`)
    expect(first.body).toMatchObject({ pages: [{ cards: [carried] }] })
    expect((await olga.key('GET', path)).body).toStrictEqual(before)
    expect((await olga.key('GET', `${channelPath()}/cards`)).body.cards).toStrictEqual([before])
    expect(await listener.next()).toMatchObject({ event: 'interaction.created' })
    const patched = await olga.key('PATCH', path, { status: 'success' })
    expect(patched.body).not.toHaveProperty('acts')
    const { event, data } = await listener.next()
    expect(event).toBe('card.updated')
    expect(data).not.toHaveProperty('acts')
    expect(await acts()).toMatchObject(carried.acts)
  })

  test('a patch keeps the receipts, PUT by key drops them', async () => {
    const path = `${channelPath()}/cards/by-key/k`
    const blocks = [{ type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go' }] }]
    const { id } = (await olga.key<{ id: string }>('PUT', path, { blocks })).body
    await press(go(id))
    await olga.key('PATCH', path, {
      blocks: [{ id: 'buttons', patch: { buttons: [{ id: 'go', patch: { label: 'Stop' } }] } }],
    })
    await press(go(id))
    expect((await cardIn(0, id))?.acts?.buttons).toMatchObject({
      total: 2,
      latest: [{ label: 'Stop' }, { label: 'Go' }],
    })
    await olga.key('PUT', path, { blocks })
    expect(await cardIn(0, id)).not.toHaveProperty('acts')
    expect(await rows()).toEqual([])
    await press(go(id))
    expect((await cardIn(0, id))?.acts?.buttons?.total).toBe(1)
  })

  test('a block that asks something shows no receipts', async () => {
    await press()
    const patch = { blocks: [{ id: 'buttons', patch: { decision: {} } }] }
    expect(await olga.key('PATCH', `${channelPath()}/cards/${scene.card_id}`, patch)).toMatchObject({
      status: 200,
    })
    expect(await acts()).toBeUndefined()
    expect(await press()).toMatchObject({ status: 201, body: { decision: { state: 'decided' } } })
    expect(await acts()).toBeUndefined()
    expect(await rows()).toEqual([])
  })

  test('the receipts of a deleted card or header action are deleted', async () => {
    await press()
    await press(refresh())
    await olga.key('DELETE', `${channelPath()}/cards/${scene.card_id}`)
    await olga.session('DELETE', `${channelPath()}/actions/${scene.action_id}`)
    expect(await rows()).toEqual([])
    expect(await headerActs()).toBeUndefined()
  })
})

describe('10: receipts', () => {
  test('auto shows them, but not in a public workspace', async () => {
    await set('auto')
    await press()
    expect(await acts()).toBeUndefined()
    await patchWorkspace(olga, { visibility: 'private' })
    await press(go(), asOlga())
    expect((await acts())?.buttons?.total).toBe(1)
  })

  test('interactions without receipts write nothing into the document', async () => {
    await set('off')
    const seq = await lastSeq()
    await press()
    await press(refresh())
    expect(await lastSeq()).toBe(seq)
  })

  test('off removes them everywhere, and on begins anew', async () => {
    await press()
    await press(refresh())
    const viewer = await watchSynced(there.url, scene.channel_id, { token: olga.api_key })
    expect(viewer.cards()[0]?.acts).toBeDefined()
    await set('off')
    await viewer.sees(([card]) => card?.acts === undefined)
    expect(viewer.doc.getMap('channel').has('acts')).toBe(false)
    expect(await rows()).toEqual([])
    await set('on')
    await press()
    expect((await acts())?.buttons?.total).toBe(1)
  })

  test('a workspace that becomes public removes those of its auto channels', async () => {
    await patchWorkspace(olga, { visibility: 'private' })
    await set('auto')
    await press(go(), asOlga())
    await press(refresh(), asOlga())
    const kept = await createChannel(olga, { mode: 'interactive', receipts: 'on' })
    const { id } = await create(olga.key, `/channels/${kept}/cards`, {
      blocks: [{ type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go' }] }],
    })
    await olga.session('POST', `/channels/${kept}/interactions`, go(id))
    await patchWorkspace(olga, { visibility: 'public' })
    expect(await acts()).toBeUndefined()
    expect(await headerActs()).toBeUndefined()
    expect(await rows()).toEqual([])
    const other = await olga.session('GET', `/channels/${kept}/first-cards`)
    expect(JSON.stringify(other.body)).toContain('"name":"Olga"')
  })

  test('what an instance left behind in a public workspace is removed', async () => {
    await press()
    await service.sql`update channels set receipts = 'auto' where id = ${scene.channel_id}`
    await hideLeftReceipts(service.sql, service.feeds)
    expect(await acts()).toBeUndefined()
    expect(await rows()).toEqual([])
  })

  test.each(['yes', '', 1, true, null])('receipts: %j returns 400', async receipts => {
    const message = 'receipts must be one of auto, on, off'
    expect(await olga.key('PATCH', channelPath(), { receipts })).toMatchObject(invalid(message))
    const body = { name: 'New', workspace_id: olga.workspace_id, receipts }
    expect(await olga.key('POST', '/channels', body)).toMatchObject(invalid(message))
  })

  test('are a field of POST, PATCH and the channel, auto by default', async () => {
    const path = `/channels/${await createChannel(olga)}`
    expect((await olga.key('GET', path)).body).toMatchObject({ receipts: 'auto' })
    expect((await olga.key('PATCH', path, { receipts: 'off' })).body).toMatchObject({ receipts: 'off' })
    const other = `/channels/${await createChannel(olga, { receipts: 'on' })}`
    expect((await olga.key('GET', other)).body).toMatchObject({ receipts: 'on' })
  })
})

describe('10: archived cards', () => {
  test('are shown with receipts in pages, and viewers learn of new ones', async () => {
    await times(6 * 64, () => create(olga.key, `${channelPath()}/cards`, textCard()))
    const viewer = await watchSynced(service.url, scene.channel_id, { token: olga.api_key })
    expect(viewer.doc.getMap('channel').get('oldest_page')).toBeGreaterThan(0)
    const path = `${channelPath()}/pages/0`
    const before = await olga.session('GET', path)
    const version = () => touchedOf(viewer.doc)?.get('0') ?? 0
    await press()
    await until(() => version() > 0, 'the page is touched')
    const shown = await olga.session('GET', path, undefined, {
      'If-None-Match': before.headers.get('ETag') ?? '',
    })
    expect(shown.status).toBe(200)
    expect(await acts()).toMatchObject({ buttons: { total: 1 } })
    await press()
    expect(await acts()).toMatchObject({ buttons: { total: 2 } })
    const touched = version()
    await set('off')
    await until(() => version() > touched, 'the page is touched again')
    expect(await acts()).toBeUndefined()
    expect(await rows()).toEqual([])
  })
})

describe('10: retention', () => {
  const DAY = 24 * 3_600_000
  const at = (days: number) => new Date(Date.now() - days * DAY).toISOString()

  test('drops what was pressed before, and keeps the total', async () => {
    for (const days of [20, 10, 1]) {
      await press({ ...go(), timestamp: at(days) })
      await press({ ...refresh(), timestamp: at(days) })
    }
    await forgetOldReceipts(service.sql, service.feeds, 7, Date.now())
    expect((await acts())?.buttons).toMatchObject({ total: 3, latest: [{ button_id: 'go' }] })
    const header = (await headerActs())?.[scene.action_id]
    expect(header).toMatchObject({ total: 3, latest: [{ action_id: scene.action_id }] })
    const seq = await lastSeq()
    await forgetOldReceipts(service.sql, service.feeds, 7, Date.now())
    expect(await lastSeq()).toBe(seq)
    await forgetOldReceipts(service.sql, service.feeds, 0, Date.now() + DAY)
    expect((await acts())?.buttons).toStrictEqual({ total: 3, latest: [] })
    await expectRowsMatchDocument(service.sql, scene.channel_id)
  })
})

test('10: receipts survive a new epoch of the document', async () => {
  await press()
  await press(refresh())
  const [card, header] = [await acts(), await headerActs()]
  await beginEpoch(service.sql, scene.channel_id, { epoch: 0 }, service.history.current)
  await service.feeds.get(scene.channel_id).refresh()
  expect(await acts()).toStrictEqual(card)
  expect(await headerActs()).toStrictEqual(header)
})

test('A7: a public channel shows viewers no email, interaction id, user id or input of another person', async () => {
  const secrets = [sam.email, olga.email, sam.user_id, 'hunter2hunter2', 'a typed secret']
  const blocks = [
    { type: 'input', id: 'password', label: 'Password', input_type: 'password' },
    { type: 'input', id: 'note', label: 'Note' },
    { type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go' }] },
    {
      type: 'button',
      id: 'asked',
      buttons: [{ id: 'yes', label: 'Yes' }],
      decision: { comment: 'optional' },
    },
  ]
  const { id } = await create(olga.key, `${channelPath()}/cards`, { blocks })
  const values = { password: 'hunter2hunter2', note: 'a typed secret' }
  const asked = { card_id: id, trigger: { type: 'button_click', button_id: 'yes' } }
  for (const headers of [asOlga(), { Cookie: sam.cookie }])
    for (const body of [{ ...go(id), values }, refresh(), { ...asked, values }]) {
      const { status, body: sent } = await press({ ...body, as: 'me' }, headers)
      if (status === 201) secrets.push(sent.interaction_id)
    }
  expect(secrets).toHaveLength(10)
  const viewer = await watchSynced(service.url, scene.channel_id)
  const payloads = [JSON.stringify(viewer.doc.toJSON())]
  for (const path of ['view', 'first-cards', 'document', 'pages/0']) {
    const response = await fetch(`${service.url}/api${channelPath()}/${path}`)
    payloads.push(await response.text())
  }
  payloads.push(await (await fetch(`${service.url}/api/workspaces/by-slug/${olga.slug}`)).text())
  payloads.push(JSON.stringify((await press({ ...asked, values })).body))
  for (const payload of payloads.slice(0, 2)) expect(payload + payloads[2]).toContain('Sam')
  for (const secret of secrets)
    for (const [i, payload] of payloads.entries()) expect([i, payload.includes(secret)]).toEqual([i, false])
})
