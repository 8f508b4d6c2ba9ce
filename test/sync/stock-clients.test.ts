// Stock y-websocket clients, in each version that people have installed.
import { afterAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { readHead } from '../../shared/channel-doc.ts'
import { createTestChannel, startTestService } from '../support/service.ts'
import { type StockVersion, until, watch } from '../support/viewer.ts'

const service = await startTestService()
const owner = await service.createOwner()
afterAll(() => service.stop())

const text = (content: string) => ({ blocks: [{ type: 'text', id: 't', content }] })

describe.each<StockVersion>(['3.1', '2.1'])('y-websocket %s', version => {
  const join = (channel_id: string, doc?: Y.Doc) =>
    watch(service.url, channel_id, { version, token: owner.api_key, ...(doc && { doc }) })

  test('sees cards inserted, updated and deleted, and the head', async () => {
    const channel_id = await createTestChannel(owner, { name: 'Deploys', icon: '🚀' })
    const cards = `/channels/${channel_id}/cards`
    const viewer = join(channel_id)
    await until(() => viewer.provider.synced, 'synced')
    expect(readHead(viewer.doc)).toMatchObject({ name: 'Deploys', icon: '🚀', mode: 'view', actions: [] })
    const { body } = await owner.call<{ id: string }>('POST', cards, text('one'))
    await viewer.sees(seen => seen.length === 1)
    const patch = { status: 'success', blocks: [{ id: 't', patch: { content: 'two' } }] }
    await owner.call('PATCH', `${cards}/${body.id}`, patch)
    await viewer.sees(([card]) => card?.status === 'success')
    expect(viewer.cards()[0]?.blocks[0]).toMatchObject({ content: 'two' })
    await owner.call('DELETE', `${cards}/${body.id}`)
    await viewer.sees(seen => seen.length === 0)
    await owner.call('PATCH', `/channels/${channel_id}`, { name: 'Releases' })
    await until(() => readHead(viewer.doc)?.name === 'Releases', 'the new name')
    viewer.leave()
  })

  test('gets only the missing updates when it returns', async () => {
    const channel_id = await createTestChannel(owner)
    const cards = `/channels/${channel_id}/cards`
    const first = await owner.call<{ id: string }>('POST', cards, text('x'.repeat(9_000)))
    for (let i = 0; i < 5; i++) await owner.call('POST', cards, text('y'.repeat(9_000)))
    const visit = join(channel_id)
    await visit.sees(seen => seen.length === 6)
    visit.leave()
    await owner.call('POST', cards, text('new'))
    await owner.call('DELETE', `${cards}/${first.body.id}`)

    let received = 0
    visit.doc.on('update', update => {
      received += update.length
    })
    const back = join(channel_id, visit.doc)
    await back.sees(seen => seen.length === 6 && !seen.some(({ id }) => id === first.body.id))
    expect(received).toBeLessThan(1_000)
    back.leave()
  })

  test('misses no card when it joins during writes', async () => {
    const channel_id = await createTestChannel(owner)
    const cards = `/channels/${channel_id}/cards`
    const viewers: ReturnType<typeof join>[] = []
    const writing = Promise.all(Array.from({ length: 40 }, (_, i) => owner.call('POST', cards, text(`${i}`))))
    for (let i = 0; i < 10; i++) {
      viewers.push(join(channel_id))
      await owner.call('POST', cards, text(`after ${i}`))
    }
    await writing
    for (const viewer of viewers) {
      await viewer.sees(seen => seen.length === 50, 'all fifty')
      expect(viewer.cards()).toEqual(viewers[0]?.cards())
      viewer.leave()
    }
  })

  test('is synced only when it has all cards that were acknowledged before it joined', async () => {
    const channel_id = await createTestChannel(owner)
    const first = join(channel_id)
    await until(() => first.provider.synced, 'synced')
    for (let i = 1; i <= 5; i++) {
      await owner.call('POST', `/channels/${channel_id}/cards`, text(`${i}`))
      const viewer = join(channel_id)
      expect(await viewer.atSync).toHaveLength(i)
      viewer.leave()
    }
    first.leave()
  })

  test('stays connected while the sixth page archives the first', async () => {
    const channel_id = await createTestChannel(owner)
    const cards = `/channels/${channel_id}/cards`
    const viewer = join(channel_id)
    for (let i = 0; i < 8; i++)
      await Promise.all(Array.from({ length: 41 }, () => owner.call('POST', cards, text('card'))))
    await viewer.sees(seen => seen.length === 328 - 64 && seen[0]?.position === 64, 'page 0 is gone')
    const fresh = join(channel_id)
    await fresh.sees(seen => seen.length === 328 - 64)
    expect(fresh.cards()).toEqual(viewer.cards())
    viewer.leave()
    fresh.leave()
  })
})

test('a viewer with a higher clock or another client id is closed with 4409', async () => {
  const channel_id = await createTestChannel(owner)
  await owner.call('POST', `/channels/${channel_id}/cards`, text('card'))
  const viewer = watch(service.url, channel_id, { token: owner.api_key })
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
    const lost = watch(service.url, channel_id, { token: owner.api_key, doc })
    await until(() => lost.closes.length > 0, 'closed')
    expect(lost.closes).toEqual([4409])
    lost.leave()
  }
})
