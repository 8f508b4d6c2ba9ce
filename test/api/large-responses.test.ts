// Lists, pages and events with large cards: bounded, in memory once, and refused to those who read nothing.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Card, createCardBody } from '../../shared/card.ts'
import type { CardPage } from '../../shared/channel-view.ts'
import { parse } from '../../shared/invalid.ts'
import { LIST_MAX_BYTES } from '../../shared/limits.ts'
import { createAccount } from '../support/account.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { failed } from '../support/errors.ts'
import { listenTo } from '../support/event-stream.ts'
import { blocksOf, storeBlocks } from '../support/large-cards.ts'
import { readMetric } from '../support/metrics.ts'
import { runWithOwner } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { callTo } from '../support/service.ts'
import { openSocket, until } from '../support/viewer.ts'

const CARD_BYTES = 1_000_000
const COUNT = 14
/** Enough for two versions of the page. */
const UNREAD_MAX = 30_000_000
const STEP_1 = new Uint8Array([0, 0, 1, 0])

const { service, ann } = await runWithOwner({}, { unread_max_bytes: UNREAD_MAX })
const anyone = callTo(`${service.url}/api`)
const TOO_MANY = failed(429, 'Too many unread responses')

let channel_id: string
let cards: string
const ids: string[] = []

beforeAll(async () => {
  await ann.session('PATCH', `/workspaces/${ann.workspace_id}`, { visibility: 'public' })
  channel_id = await createChannel(ann)
  cards = `/channels/${channel_id}/cards`
  for (let i = 0; i < COUNT; i++) ids.push((await pushCard(ann.key, cards)).split('/').at(-1) ?? '')
  await storeBlocks(service, channel_id, ids, blocksOf(CARD_BYTES))
})

const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await until(async () => (await unread()) === 0, 'nothing waits for readers')
})

const unread = () => readMetric(service, 'channel_feed_unread_bytes')
const touch = () => ann.key('PATCH', `${cards}/${ids[0]}`, { status: 'success' })

/** A client that requests something and reads only the beginning. */
async function stall(path: string, headers: Record<string, string> = {}): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  open.push(socket)
  const head = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'readable')
  return String(socket.read(12))
}

test('clients that read a page of one version share its bytes, however slow they are', async () => {
  const path = `/api/channels/${channel_id}/pages/0`
  const [one, two] = await Promise.all([1, 2].map(() => fetch(service.url + path)))
  const bytes = (await one?.arrayBuffer())?.byteLength ?? 0
  expect(bytes).toBeGreaterThan(COUNT * CARD_BYTES)
  expect((await two?.arrayBuffer())?.byteLength).toBe(bytes)

  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 12; i++) expect(await stall(path)).toBe('HTTP/1.1 200')
  expect(await unread()).toBe(bytes)
  // What the sockets of this process hold counts too: a copy for each client would be 12 pages.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(6 * bytes)
})

test('a network address that reads nothing gets no further version of a page, and others do', async () => {
  const path = `/channels/${channel_id}/pages/0`
  for (let version = 0; version < 2; version++) {
    await touch()
    expect(await stall(`/api${path}`)).toBe('HTTP/1.1 200')
  }
  await touch()
  const refused = await anyone('GET', path)
  expect(refused).toMatchObject(TOO_MANY)
  expect(refused.headers.get('Retry-After')).toBe('10')
  expect(refused.headers.get('ETag')).toBeNull()
  expect(await readMetric(service, 'channel_feed_refused_connections_total{cap="unread"}')).toBe(1)
  expect((await ann.session<CardPage>('GET', path)).body.cards).toHaveLength(COUNT)
  const bob = await createAccount(service)
  expect((await bob.session<CardPage>('GET', path)).body.cards).toHaveLength(COUNT)

  for (const socket of open.splice(0)) socket.destroy()
  await until(async () => (await anyone('GET', path)).status === 200, 'room again')
})

test('viewers that read nothing share the document, and are closed with 1013 if they would hold another version', async () => {
  const watch = async (reads: boolean) => {
    const viewer = await openSocket(service.url, `/sync/${channel_id}?token=${ann.api_key}`)
    if (!reads) viewer.socket.pause()
    viewer.socket.send(STEP_1)
    return viewer
  }
  /** Changes more than a viewer of the cached document may lack. */
  const change = (value: string) => {
    const rows = Array.from({ length: 20 }, () => ({ key: value, value: 'y'.repeat(9_000) }))
    return ann.key('PATCH', `${cards}/${ids[0]}`, { blocks: [{ id: 'kv', patch: { rows } }] })
  }
  const holds = (versions: number) =>
    until(
      async () => Math.floor((await unread()) / CARD_BYTES / (COUNT - 1)) === versions,
      `${versions} versions`,
    )
  const viewers = await Promise.all(Array.from({ length: 6 }, () => watch(false)))
  await holds(1)
  await change('second')
  viewers.push(await watch(false))
  await holds(2)
  await change('third')
  const refused = await watch(true)
  expect(await refused.closed).toBe(1013)
  expect(await unread()).toBeLessThan(UNREAD_MAX)
  for (const { socket } of viewers) socket.terminate()
  await holds(0)
})

describe('a list', () => {
  type List = { cards: Card[]; next_cursor: string | null }
  const list = async (query: string) => (await ann.key<List>('GET', `${cards}?${query}`)).body

  test('a list ends early if its cards are large, and its cursor continues it', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(COUNT)
      const found: List = await list(`limit=200${cursor && `&cursor=${cursor}`}`)
      expect(JSON.stringify(found).length).toBeLessThan(LIST_MAX_BYTES + CARD_BYTES)
      seen.push(...found.cards.map(({ id }) => id))
      cursor = found.next_cursor
    }
    expect(seen).toEqual(ids.toReversed())
  })

  test('a list that ends with the oldest card has no cursor, even if its cards are large', async () => {
    const first = await list('limit=10')
    expect(first.cards).toHaveLength(5)
    const other = await createChannel(ann)
    const path = await pushCard(ann.key, `/channels/${other}/cards`)
    await storeBlocks(service, other, [path.split('/').at(-1) ?? ''], blocksOf(2 * LIST_MAX_BYTES))
    const { body } = await ann.key<List>('GET', `/channels/${other}/cards`)
    expect(body.cards).toHaveLength(1)
    expect(body.next_cursor).toBeNull()
  })

  test("a user who doesn't read earlier lists gets no other, on both APIs", async () => {
    const Authorization = `Bearer ${ann.api_key}`
    const stalled: string[] = []
    while (stalled.at(-1) !== 'HTTP/1.1 429')
      stalled.push(await stall(`/api/v1${cards}?limit=200`, { Authorization }))
    expect(stalled.length).toBeGreaterThan(3)
    expect(await unread()).toBeLessThan(UNREAD_MAX)
    expect(await ann.session('GET', `${cards}?limit=200`)).toMatchObject(TOO_MANY)
  })
})

test.each(['key', 'session'] as const)(
  'a list of interactions by %s ends early if their cards are large',
  async by => {
    type List = { interactions: { interaction_id: string }[]; next_cursor: string | null }
    const button = { type: 'button', id: 'b', buttons: [{ id: 'go', label: 'Go' }] }
    const scene = await buildScene(service, { blocks: [button] })
    const [go] = parse(createCardBody, { blocks: [button] }).blocks
    await storeBlocks(
      service,
      scene.channel_id,
      [scene.card_id],
      [...blocksOf(CARD_BYTES), ...(go ? [go] : [])],
    )
    const pressed: string[] = []
    for (let i = 0; i < 7; i++) pressed.push((await scene.click()).body.interaction_id)
    const seen: string[] = []
    const path = `/channels/${scene.channel_id}/interactions?limit=200`
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: List } = await scene.account[by]<List>(
        'GET',
        `${path}${cursor && `&cursor=${cursor}`}`,
      )
      expect(body.interactions.length).toBeLessThanOrEqual(5)
      seen.push(...body.interactions.map(({ interaction_id }) => interaction_id))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(pressed.toReversed())
  },
)

test('event streams that read nothing share their batch, and one that reads gets every event in order', async () => {
  const reader = await listenTo(service.url, ann.api_key, channel_id)
  const Authorization = `Bearer ${ann.api_key}`
  for (let i = 0; i < 12; i++) await stall(`/api/v1/channels/${channel_id}/events`, { Authorization })
  for (const id of ids) await ann.key('PATCH', `${cards}/${id}`, { status: 'warning' })
  const events = await reader.take(COUNT)
  expect(events.map(({ data }) => data)).toMatchObject(ids.map(id => ({ id, status: 'warning' })))
  // Each stalled stream holds one batch: one or two turns. Those that stopped at the same turn share it.
  await until(async () => (await unread()) > 0, 'the streams are stuck')
  expect(await unread()).toBeLessThan(6 * CARD_BYTES)
  reader.leave()
})
