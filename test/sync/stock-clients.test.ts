// Stock y-websocket clients, in each version that people have installed.
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { channelOf, readHead } from '../../shared/channel-doc.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { ask, decisionOf } from '../support/decisions.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'
import { type StockVersion, until, watch } from '../support/viewer.ts'

const { service, ann } = await runWithOwner()

async function newChannel(fields?: object) {
  const channel_id = await createChannel(ann, fields)
  const cards = `/channels/${channel_id}/cards`
  return { channel_id, push: (content?: string) => pushCard(ann.key, cards, textCard(content)) }
}

describe.each<StockVersion>(['3.1', '2.1'])('y-websocket %s', version => {
  const join = (channel_id: string, doc?: Y.Doc) =>
    watch(service.url, channel_id, { version, token: ann.api_key, ...(doc && { doc }) })

  test('a stock client sees cards inserted, updated and deleted, and the head', async () => {
    const { channel_id, push } = await newChannel({ name: 'Deploys', icon: '🚀' })
    const viewer = join(channel_id)
    await until(() => viewer.provider.synced, 'synced')
    expect(readHead(channelOf(viewer.doc))).toMatchObject({
      name: 'Deploys',
      icon: '🚀',
      mode: 'view',
      actions: [],
    })
    const path = await push('one')
    await viewer.sees(seen => seen.length === 1)
    const patch = { status: 'success', blocks: [{ id: 'text', patch: { content: 'two' } }] }
    await ann.key('PATCH', path, patch)
    await viewer.sees(([card]) => card?.status === 'success')
    expect(viewer.cards()[0]?.blocks[0]).toMatchObject({ content: 'two' })
    await ann.key('DELETE', path)
    await viewer.sees(seen => seen.length === 0)
    await ann.key('PATCH', `/channels/${channel_id}`, { name: 'Releases' })
    await until(() => readHead(channelOf(viewer.doc))?.name === 'Releases', 'the new name')
  })

  test('D2: sees a question and its outcome', async () => {
    const { channel_id } = await newChannel({ mode: 'interactive' })
    const viewer = join(channel_id)
    await until(() => viewer.provider.synced, 'synced')
    const { card_id } = await ask(ann.key, channel_id)
    await viewer.sees(([card]) => decisionOf(card)?.state === 'waiting')
    const trigger = { type: 'button_click', button_id: 'yes' }
    const { body } = await ann.session('POST', `/channels/${channel_id}/interactions`, { card_id, trigger })
    await viewer.sees(([card]) => decisionOf(card)?.state === 'decided')
    expect(decisionOf(viewer.cards()[0])).toStrictEqual(body.decision)
  })

  test('a stock client gets only the missing updates when it returns', async () => {
    const { channel_id, push } = await newChannel()
    const first = await push('x'.repeat(9_000))
    for (let i = 0; i < 5; i++) await push('y'.repeat(9_000))
    const visit = join(channel_id)
    await visit.sees(seen => seen.length === 6)
    visit.leave()
    await push('new')
    await ann.key('DELETE', first)

    let received = 0
    visit.doc.on('update', update => {
      received += update.length
    })
    const back = join(channel_id, visit.doc)
    await back.sees(seen => seen.length === 6 && !seen.some(({ id }) => first.endsWith(id)))
    expect(received).toBeLessThan(1_000)
  })

  test('a stock client is synced only when it has all cards that were acknowledged before it joined', async () => {
    const { channel_id, push } = await newChannel()
    const first = join(channel_id)
    await until(() => first.provider.synced, 'synced')
    for (let i = 1; i <= 5; i++) {
      await push()
      expect(await join(channel_id).atSync).toHaveLength(i)
    }
  })

  test('a stock client stays connected while the sixth page archives the first', async () => {
    const { channel_id, push } = await newChannel()
    const viewer = join(channel_id)
    for (let i = 0; i < 8; i++) await times(41, () => push())
    await viewer.sees(seen => seen.length === 328 - 64 && seen[0]?.position === 64, 'page 0 is gone')
    const fresh = join(channel_id)
    await fresh.sees(seen => seen.length === 328 - 64)
    expect(fresh.cards()).toEqual(viewer.cards())
  })
})

test('a viewer with a higher clock or another client id is closed with 4409', async () => {
  const { channel_id, push } = await newChannel()
  await push()
  const viewer = watch(service.url, channel_id, { token: ann.api_key })
  await viewer.sees(seen => seen.length === 1)
  viewer.leave()

  const ahead = new Y.Doc()
  Y.applyUpdate(ahead, Y.encodeStateAsUpdate(viewer.doc))
  const [[client = 0] = []] = [...Y.decodeStateVector(Y.encodeStateVector(ahead))]
  ahead.clientID = client
  ahead.getMap('pages').set('from a lost timeline', 1)
  const foreign = new Y.Doc()
  foreign.getMap('pages').set('made by the viewer', 1)
  for (const doc of [ahead, foreign]) {
    const lost = watch(service.url, channel_id, { token: ann.api_key, doc })
    await until(() => lost.closes.length > 0, 'closed')
    expect(lost.closes).toEqual([4409])
  }
})
