// Reads every view of the channels in the quiet phase. check/views.ts compares them.
import * as Y from 'yjs'
import { readCards } from '../../../server/feed/log/card-rows.ts'
import { readStoredDocument } from '../../../server/feed/log/log.ts'
import type { Card, PlacedCard } from '../../../shared/card.ts'
import type { WaitingCards } from '../../../shared/channel-view.ts'
import { CLOSE_LOST_TIMELINE } from '../../../shared/close-codes.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { holdsWithin } from '../wait.ts'
import { clocksOf, digestOf } from './digest.ts'
import { keyOf, type Scene } from './scene.ts'
import { type Target, watchStock } from './stock-viewer.ts'

/** A line of views.jsonl. `name` says where it was read. */
export type View = { channel_id: string; name: string } & (
  | { kind: 'rows'; cards: PlacedCard[] }
  | { kind: 'list'; cards: Card[] }
  /** All pages. `again`: the status of a second request for each, with its ETag. */
  | { kind: 'pages'; cards: PlacedCard[]; again: number[] }
  | { kind: 'document'; clocks: Record<string, number>; digest: string }
  | { kind: 'count'; count: number }
  /** The cards that wait for anybody. `total`: how many there are. */
  | { kind: 'waiting'; total: number; cards: PlacedCard[] }
)

const LIST_LIMIT = 200
const PAGE_SIZE = 64
const JOIN_MS = 10_000

export async function readViews(cluster: Cluster, scene: Scene): Promise<View[]> {
  const views: View[] = []
  for (const channel_id of scene.channel_ids) {
    views.push(...(await readStored(cluster, channel_id)))
    for (const [i, url] of scene.urls.entries()) {
      const headers = { Authorization: `Bearer ${keyOf(scene, channel_id)}` }
      const name = (what: string) => `${what} of instance ${i}`
      views.push(await readList(url, channel_id, headers, name('the list')))
      views.push(await readPages(url, channel_id, views, name('the pages')))
      views.push(await readWaiting(url, channel_id, name('the waiting cards')))
      if (channel_id === scene.spender.channel_id) continue
      views.push(...(await readCounts(url, scene, channel_id, name)))
      views.push(...(await visit(cluster, url, scene, channel_id, name)))
    }
  }
  return views
}

async function readStored({ sql }: Cluster, channel_id: string): Promise<View[]> {
  const doc = new Y.Doc()
  const stored = await readStoredDocument(sql, channel_id)
  for (const update of stored?.updates ?? []) Y.applyUpdate(doc, update)
  const [row] = await sql<{ card_count: number }[]>`
    select card_count from documents where channel_id = ${channel_id}`
  const cards = await readCards(sql, channel_id, 0, Number.MAX_SAFE_INTEGER)
  const [clocks, digest] = [clocksOf(doc), digestOf(doc)]
  return [
    { channel_id, name: 'the rows', kind: 'rows', cards },
    { channel_id, name: 'snapshot and tail', kind: 'document', clocks, digest },
    { channel_id, name: 'the stored count', kind: 'count', count: row?.card_count ?? -1 },
  ]
}

async function readList(
  url: string,
  channel_id: string,
  headers: Record<string, string>,
  name: string,
): Promise<View> {
  const cards: Card[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = `limit=${LIST_LIMIT}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const list: { cards: Card[]; next_cursor: string | null } = await get(
      `${url}/api/v1/channels/${channel_id}/cards?${query}`,
      headers,
    )
    cards.push(...list.cards)
    cursor = list.next_cursor
  }
  return { channel_id, name, kind: 'list', cards }
}

async function readPages(url: string, channel_id: string, views: View[], name: string): Promise<View> {
  const rows = views.find(view => view.channel_id === channel_id && view.kind === 'rows')
  const newest = rows?.kind === 'rows' ? (rows.cards.at(-1)?.position ?? 0) : 0
  const cards: PlacedCard[] = []
  const again: number[] = []
  for (let page = 0; page <= newest / PAGE_SIZE; page++) {
    const path = `${url}/api/channels/${channel_id}/pages/${page}`
    const response = await fetch(path)
    const body: { cards: PlacedCard[] } = await response.json()
    cards.push(...body.cards)
    const repeated = await fetch(path, { headers: { 'If-None-Match': response.headers.get('ETag') ?? '' } })
    await repeated.arrayBuffer()
    again.push(repeated.status)
  }
  return { channel_id, name, kind: 'pages', cards, again }
}

async function readWaiting(url: string, channel_id: string, name: string): Promise<View> {
  const waiting: WaitingCards = await get(`${url}/api/channels/${channel_id}/waiting`, {})
  return { channel_id, name, kind: 'waiting', ...waiting }
}

async function readCounts(
  url: string,
  { api_key, workspace_id, slug }: Scene,
  channel_id: string,
  name: (what: string) => string,
): Promise<View[]> {
  type Counted = { id: string; card_count: number }[]
  const page: { channels: Counted } = await get(`${url}/api/workspaces/by-slug/${slug}`, {})
  const listed: Counted = await get(`${url}/api/v1/channels?workspace_id=${workspace_id}`, {
    Authorization: `Bearer ${api_key}`,
  })
  const countIn = (channels: Counted) => channels.find(({ id }) => id === channel_id)?.card_count ?? -1
  return [
    { channel_id, name: name('the workspace page'), kind: 'count', count: countIn(page.channels) },
    { channel_id, name: name('the list of channels'), kind: 'count', count: countIn(listed) },
  ]
}

async function get<T>(url: string, headers: Record<string, string>): Promise<T> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} got ${response.status}`)
  return response.json()
}

/**
 * Stock viewers of both versions that join without a document, with an old one, or with one of an earlier epoch, which they
 * drop when the service tells them to.
 */
async function visit(
  { sql }: Cluster,
  url: string,
  { api_key: token }: Scene,
  channel_id: string,
  name: (what: string) => string,
): Promise<View[]> {
  const log = await sql<{ epoch: number; update: Uint8Array }[]>`
    select epoch, update from proof.log where channel_id = ${channel_id} order by epoch, seq`
  const [end] = await sql<{ epoch: number; client_id: number; clock: number }[]>`
    select epoch, client_id, clock from documents where channel_id = ${channel_id}`
  if (!end) throw new Error(`channel ${channel_id} has no document`)
  const firstHalfOf = (wanted: number) => {
    const turns = log.filter(({ epoch }) => epoch === wanted)
    return turns.slice(0, Math.ceil(turns.length / 2))
  }
  const visits = [
    { what: 'a new viewer', known: [] },
    { what: 'an old viewer', known: firstHalfOf(end.epoch) },
    ...(end.epoch > 0 ? [{ what: 'a viewer of an earlier epoch', known: firstHalfOf(end.epoch - 1) }] : []),
  ]
  const base = `${url.replace('http', 'ws')}/sync`
  return Promise.all(
    visits.flatMap(({ what, known }) =>
      (['y-websocket 3', 'y-websocket 2'] as const).map(async (client): Promise<View> => {
        const doc = await join({ client, base, channel_id, token }, known, end)
        const [clocks, digest] = [clocksOf(doc), digestOf(doc)]
        // The awareness of the provider lives as long as its document.
        doc.destroy()
        return { channel_id, name: name(`${what} (${client})`), kind: 'document', clocks, digest }
      }),
    ),
  )
}

/** Returns the document when it reaches the end, or when that takes too long. */
async function join(
  target: Target,
  known: { update: Uint8Array }[],
  { client_id, clock }: { client_id: number; clock: number },
): Promise<Y.Doc> {
  let doc = new Y.Doc()
  for (const { update } of known) Y.applyUpdate(doc, update)
  let leave = () => {}
  const connect = () => {
    leave = watchStock(target, doc, {
      opened() {},
      closed(code) {
        if (code !== CLOSE_LOST_TIMELINE) return
        leave()
        doc.destroy()
        doc = new Y.Doc()
        connect()
      },
    })
  }
  connect()
  await holdsWithin(JOIN_MS, () => clocksOf(doc)[client_id] === clock)
  leave()
  return doc
}
