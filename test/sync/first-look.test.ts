// The first cards and the document over HTTP, for a first visit: the same committed state that the socket sends.
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createAccount } from '../support/account.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runInstances } from '../support/running.ts'
import type { TestService } from '../support/service.ts'
import { cardsOf, watch, watchSynced } from '../support/viewer.ts'

const { here, there } = await runInstances()
const ann = await createAccount(here)

async function look(url: string, channel_id: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/channels/${channel_id}/document`, {
    headers: { Cookie: ann.cookie, ...headers },
  })
  const doc = new Y.Doc()
  Y.applyUpdate(doc, new Uint8Array(await response.arrayBuffer()))
  return { response, doc }
}

const push = (channel_id: string, content: string) =>
  pushCard(ann.key, `/channels/${channel_id}/cards`, textCard(content))

test('the document over HTTP equals what a new viewer gets, compressed or not', async () => {
  const channel_id = await createChannel(ann)
  for (let i = 0; i < 80; i++) await push(channel_id, `card ${i}`)
  const viewer = await watchSynced(here.url, channel_id, { token: ann.api_key })
  for (const encoding of ['gzip, br', 'identity']) {
    const { response, doc } = await look(here.url, channel_id, { 'Accept-Encoding': encoding })
    expect(response.headers.get('Content-Encoding')).toBe(encoding === 'identity' ? null : 'gzip')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(cardsOf(doc, channel_id)).toEqual(viewer.cards())
    expect(Y.encodeStateVector(doc)).toEqual(Y.encodeStateVector(viewer.doc))
  }
})

test('the document is sent again only after a change, on any instance', async () => {
  const channel_id = await createChannel(ann)
  await push(channel_id, 'first')
  const { response } = await look(here.url, channel_id)
  const etag = response.headers.get('ETag') ?? ''
  const again = (url: string, tag: string) =>
    fetch(`${url}/api/channels/${channel_id}/document`, {
      headers: { Cookie: ann.cookie, 'If-None-Match': tag },
    })
  for (const { url } of [here, there]) expect((await again(url, etag)).status).toBe(304)
  await push(channel_id, 'second')
  for (const { url } of [there, here]) {
    const changed = await again(url, etag)
    const doc = new Y.Doc()
    Y.applyUpdate(doc, new Uint8Array(await changed.arrayBuffer()))
    expect(cardsOf(doc, channel_id).length).toBe(2)
    expect((await again(url, changed.headers.get('ETag') ?? '')).status).toBe(304)
  }
})

test('the first cards are the newest six, on their pages', async () => {
  const channel_id = await createChannel(ann)
  const first = async (service: TestService) => {
    const response = await fetch(`${service.url}/api/channels/${channel_id}/first-cards`, {
      headers: { Cookie: ann.cookie },
    })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    return response.json()
  }
  expect(await first(here)).toMatchObject({ head: { name: 'Channel' }, pages: [{ page: 0, cards: [] }] })

  for (let i = 0; i < 67; i++) await push(channel_id, `card ${i}`)
  const { doc } = await look(here.url, channel_id)
  const newest = cardsOf(doc, channel_id).toReversed()
  const expected = [
    { page: 1, cards: newest.slice(0, 3) },
    { page: 0, cards: newest.slice(3, 6) },
  ]
  expect((await first(here)).pages).toEqual(expected)
  expect((await first(there)).pages).toEqual(expected)
})

test('the socket of either instance sends what the document over HTTP lacks', async () => {
  const channel_id = await createChannel(ann)
  for (let i = 1; i <= 5; i++) {
    await push(channel_id, `card ${i}`)
    const { doc } = await look(i % 2 ? here.url : there.url, channel_id)
    const viewer = watch(i % 2 ? there.url : here.url, channel_id, { doc, token: ann.api_key })
    await viewer.sees(cards => cards.length === i, `${i} cards`)
  }
})
