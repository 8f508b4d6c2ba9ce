// Receipts: every viewer sees who pressed a button or header action.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { publicIdOf } from '../../shared/public-id.ts'
import type { HeaderReceipts } from '../../shared/receipt.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { readLog } from '../support/deliveries.ts'
import { listenTo } from '../support/event-stream.ts'
import {
  asOlga,
  asSam,
  cardIn,
  channelPath,
  documentOf,
  go,
  lastSeq,
  olga,
  press,
  receipts,
  refresh,
  rows,
  scene,
  service,
  set,
  setReceiptScene,
  shownHeaderReceipts,
  there,
} from '../support/receipt-scene.ts'
import { sceneAt } from '../support/scene.ts'
import { times } from '../support/times.ts'
import { type StockVersion, until, watch } from '../support/viewer.ts'

await setReceiptScene()

describe('a press', () => {
  test.each<StockVersion>(['3.1', '2.1'])(
    'a press is shown by y-websocket %s as acts:<block>',
    async version => {
      const viewer = watch(service.url, scene.channel_id, { version, token: olga.api_key })
      await until(() => viewer.provider.synced, 'synced')
      const { status, body } = await press(go(), asOlga)
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
            act: publicIdOf(body.interaction_id),
          },
        ],
      })
      expect(map()?.get('acts:buttons')).toStrictEqual((await receipts())?.buttons)
    },
  )

  test('a press on a header action is shown in the channel’s map, by action', async () => {
    const { body } = await press(refresh(), asOlga)
    expect(await shownHeaderReceipts()).toStrictEqual({
      [scene.action_id]: {
        total: 1,
        latest: [
          {
            action_id: scene.action_id,
            label: 'Refresh',
            by: { kind: 'owner', name: 'Olga' },
            timestamp: body.timestamp,
            act: publicIdOf(body.interaction_id),
          },
        ],
      },
    })
  })

  test('a press is answered and logged as without receipts', async () => {
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
    expect((await receipts())?.buttons?.total).toBeUndefined()
  })

  test('the newest 5 are shown, all are counted', async () => {
    const sent: string[] = []
    for (let i = 0; i < 7; i++) sent.push((await press()).body.interaction_id)
    expect((await receipts())?.buttons).toMatchObject({
      total: 7,
      latest: sent
        .slice(2)
        .reverse()
        .map(id => ({ act: publicIdOf(id) })),
    })
  })

  test('changes, replies and refused presses leave no receipts', async () => {
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
    expect(await receipts()).toBeUndefined()
    expect(await readLog(scene)).toHaveLength(2)
  })

  test('presses that share a turn cause one write per block', async () => {
    const seq = await lastSeq()
    await times(30, i => {
      const by = {
        by: { kind: 'anonymous' as const, name: null },
        timestamp: '2026-11-23T00:00:00.000Z',
        act: `${i}`,
      }
      const trigger = { type: 'button_click' as const, button_id: 'go', label: 'Deploy' }
      const logged = { card_id: scene.card_id, trigger, card: null }
      const judge = () => ({ logged, decided: null })
      return service.feeds.get(scene.channel_id).writer.write({
        mutation: { kind: 'press', card_id: scene.card_id, decision_id: null, judge, by },
        owner_id: olga.user_id,
      })
    })
    expect(await lastSeq()).toBe(seq + 1)
    const latest = ['29', '28', '27', '26', '25'].map(act => ({ act }))
    expect((await receipts())?.buttons).toMatchObject({ total: 30, latest })
    const [{ length = 0 } = {}] = await service.sql<{ length: number }[]>`
      select length(update) from document_updates where channel_id = ${scene.channel_id} and seq = ${seq + 1}`
    expect(length).toBeLessThan(1_000)
  })

  test('D6: presses on two instances agree in log, document and rows', async () => {
    const elsewhere = sceneAt(there, scene)
    const answers = await times(40, i => press(i % 4 ? go() : refresh(), {}, i % 2 ? elsewhere : scene))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(await readLog(scene)).toHaveLength(40)
    for (const { url } of [service, there]) {
      const doc = await documentOf(url)
      const header = doc.getMap<HeaderReceipts>('channel').get('acts')
      expect(header?.[scene.action_id]?.total).toBe(10)
    }
    expect((await receipts())?.buttons?.total).toBe(30)
    await expectRowsMatchDocument(service.sql, scene.channel_id)
  })
})

describe('the sender in a receipt', () => {
  const shown = async () => (await receipts())?.buttons?.latest[0]?.by

  test('a receipt shows a viewer without a session as anonymous', async () => {
    await press()
    expect(await shown()).toStrictEqual({ kind: 'anonymous', name: null })
  })

  test('a receipt shows a person without a role as anonymous, or by name on request', async () => {
    await press(go(), asSam)
    expect(await shown()).toStrictEqual({ kind: 'anonymous', name: null })
    await press({ ...go(), as: 'me' }, asSam)
    expect(await shown()).toStrictEqual({ kind: 'user', name: 'Sam' })
  })

  test('a receipt shows the owner by name, or anonymous on request', async () => {
    await press({ ...go(), as: 'anonymous' }, asOlga)
    expect(await shown()).toStrictEqual({ kind: 'anonymous', name: null })
    await press({ ...refresh(), as: 'anonymous' }, asOlga)
    expect((await shownHeaderReceipts())?.[scene.action_id]?.latest[0]?.by).toStrictEqual({
      kind: 'anonymous',
      name: null,
    })
  })
})

describe('the card in responses', () => {
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
    expect(await receipts()).toMatchObject(carried.acts)
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
    expect(await receipts()).toBeUndefined()
    expect(await press()).toMatchObject({ status: 201, body: { decision: { state: 'decided' } } })
    expect(await receipts()).toBeUndefined()
    expect(await rows()).toEqual([])
  })

  test('the receipts of a deleted card or header action are deleted', async () => {
    await press()
    await press(refresh())
    await olga.key('DELETE', `${channelPath()}/cards/${scene.card_id}`)
    await olga.session('DELETE', `${channelPath()}/actions/${scene.action_id}`)
    expect(await rows()).toEqual([])
    expect(await shownHeaderReceipts()).toBeUndefined()
  })
})
