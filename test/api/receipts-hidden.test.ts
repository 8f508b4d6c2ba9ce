// Which receipts viewers see: by the channel's setting, by age, and without anybody's secrets.
import { describe, expect, test } from 'vitest'
import { beginEpoch } from '../../server/feed/log/epochs.ts'
import { forgetOldReceipts, hideLeftReceipts } from '../../server/model/receipts.ts'
import { touchedOf } from '../../shared/channel-doc.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { textCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { invalid } from '../support/errors.ts'
import {
  asOlga,
  asSam,
  channelPath,
  go,
  lastSeq,
  olga,
  press,
  receipts,
  refresh,
  rows,
  sam,
  scene,
  service,
  set,
  setReceiptScene,
  shownHeaderReceipts,
  there,
} from '../support/receipt-scene.ts'
import { create } from '../support/service.ts'
import { times } from '../support/times.ts'
import { until, watchSynced } from '../support/viewer.ts'

await setReceiptScene()

describe('receipts', () => {
  test('`auto` shows receipts, but not in a public workspace', async () => {
    await set('auto')
    await press()
    expect(await receipts()).toBeUndefined()
    await patchWorkspace(olga, { visibility: 'private' })
    await press(go(), asOlga)
    expect((await receipts())?.buttons?.total).toBe(1)
  })

  test('interactions without receipts write nothing into the document', async () => {
    await set('off')
    const seq = await lastSeq()
    await press()
    await press(refresh())
    expect(await lastSeq()).toBe(seq)
  })

  test('`off` removes receipts everywhere, and `on` begins anew', async () => {
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
    expect((await receipts())?.buttons?.total).toBe(1)
  })

  test('a workspace that becomes public removes the receipts of its `auto` channels', async () => {
    await patchWorkspace(olga, { visibility: 'private' })
    await set('auto')
    await press(go(), asOlga)
    await press(refresh(), asOlga)
    const kept = await createChannel(olga, { mode: 'interactive', receipts: 'on' })
    const { id } = await create(olga.key, `/channels/${kept}/cards`, {
      blocks: [{ type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go' }] }],
    })
    await olga.session('POST', `/channels/${kept}/interactions`, go(id))
    await patchWorkspace(olga, { visibility: 'public' })
    expect(await receipts()).toBeUndefined()
    expect(await shownHeaderReceipts()).toBeUndefined()
    expect(await rows()).toEqual([])
    const other = await olga.session('GET', `/channels/${kept}/first-cards`)
    expect(JSON.stringify(other.body)).toContain('"name":"Olga"')
  })

  test('what an instance left behind in a public workspace is removed', async () => {
    await press()
    await service.sql`update channels set receipts = 'auto' where id = ${scene.channel_id}`
    await hideLeftReceipts(service.sql, service.feeds)
    expect(await receipts()).toBeUndefined()
    expect(await rows()).toEqual([])
  })

  test.each(['yes', '', 1, true, null])('receipts: %j returns 400', async receipts => {
    const message = 'receipts must be one of auto, on, off'
    expect(await olga.key('PATCH', channelPath(), { receipts })).toMatchObject(invalid(message))
    const body = { name: 'New', workspace_id: olga.workspace_id, receipts }
    expect(await olga.key('POST', '/channels', body)).toMatchObject(invalid(message))
  })

  test('receipts are a field of POST, PATCH and the channel, auto by default', async () => {
    const path = `/channels/${await createChannel(olga)}`
    expect((await olga.key('GET', path)).body).toMatchObject({ receipts: 'auto' })
    expect((await olga.key('PATCH', path, { receipts: 'off' })).body).toMatchObject({ receipts: 'off' })
    const other = `/channels/${await createChannel(olga, { receipts: 'on' })}`
    expect((await olga.key('GET', other)).body).toMatchObject({ receipts: 'on' })
  })
})

describe('archived cards', () => {
  test('archived cards are shown with receipts in pages, and viewers learn of new ones', async () => {
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
    expect(await receipts()).toMatchObject({ buttons: { total: 1 } })
    await press()
    expect(await receipts()).toMatchObject({ buttons: { total: 2 } })
    const touched = version()
    await set('off')
    await until(() => version() > touched, 'the page is touched again')
    expect(await receipts()).toBeUndefined()
    expect(await rows()).toEqual([])
  })
})

describe('retention', () => {
  const DAY = 24 * 3_600_000
  const at = (days: number) => new Date(Date.now() - days * DAY).toISOString()

  test('retention drops what was pressed before, and keeps the total', async () => {
    for (const days of [20, 10, 1]) {
      await press({ ...go(), timestamp: at(days) })
      await press({ ...refresh(), timestamp: at(days) })
    }
    await forgetOldReceipts(service.sql, service.feeds, 7, Date.now())
    expect((await receipts())?.buttons).toMatchObject({ total: 3, latest: [{ button_id: 'go' }] })
    const header = (await shownHeaderReceipts())?.[scene.action_id]
    expect(header).toMatchObject({ total: 3, latest: [{ action_id: scene.action_id }] })
    const seq = await lastSeq()
    await forgetOldReceipts(service.sql, service.feeds, 7, Date.now())
    expect(await lastSeq()).toBe(seq)
    await forgetOldReceipts(service.sql, service.feeds, 0, Date.now() + DAY)
    expect((await receipts())?.buttons).toStrictEqual({ total: 3, latest: [] })
    await expectRowsMatchDocument(service.sql, scene.channel_id)
  })
})

test('receipts survive a new epoch of the document', async () => {
  await press()
  await press(refresh())
  const [card, header] = [await receipts(), await shownHeaderReceipts()]
  await beginEpoch(service.sql, scene.channel_id, { epoch: 0 }, service.history.current)
  await service.feeds.get(scene.channel_id).refresh()
  expect(await receipts()).toStrictEqual(card)
  expect(await shownHeaderReceipts()).toStrictEqual(header)
})

test('D7: a public channel shows viewers no email, interaction id, user id or input of another person', async () => {
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
  for (const headers of [asOlga, asSam])
    for (const body of [{ ...go(id), values }, refresh(), { ...asked, values }]) {
      const { status, body: sent } = await press({ ...body, as: 'me' }, headers)
      if (status === 201) secrets.push(sent.interaction_id)
    }
  expect(secrets).toHaveLength(10)
  const viewer = await watchSynced(service.url, scene.channel_id)
  const payloads = [JSON.stringify(viewer.doc.toJSON())]
  for (const path of ['view', 'first-cards', 'document', 'pages/0', 'waiting']) {
    const response = await fetch(`${service.url}/api${channelPath()}/${path}`)
    payloads.push(await response.text())
  }
  payloads.push(await (await fetch(`${service.url}/api/workspaces/by-slug/${olga.slug}`)).text())
  payloads.push(JSON.stringify((await press({ ...asked, values })).body))
  for (const payload of payloads.slice(0, 2)) expect(payload + payloads[2]).toContain('Sam')
  for (const secret of secrets)
    for (const [i, payload] of payloads.entries()) expect([i, payload.includes(secret)]).toEqual([i, false])
})
