// The list of a channel's cards: newest first, page by page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import { type Account, createAccount } from '../support/account.ts'
import { createTestCards, pushCard, readCard, textCard } from '../support/cards.ts'
import { startTestService, type TestService } from '../support/service.ts'

type List = { cards: Card[]; next_cursor: string | null }

let service: TestService
let ann: Account
let cards: string
/** Oldest first. */
const ids: string[] = []

beforeAll(async () => {
  service = await startTestService()
  ann = await createAccount(service)
  cards = await createTestCards(ann)
  for (let i = 0; i < 70; i++) ids.push(await push(cards))
})
afterAll(() => service.stop())

const push = async (to: string) => (await pushCard(ann.key, to)).split('/').at(-1) ?? ''
const list = async (query = '', from = cards) => (await ann.key<List>('GET', `${from}${query}`)).body
const idsOf = ({ cards }: List) => cards.map(({ id }) => id)

test('newest first, each as GET of one shows it', async () => {
  const { cards: listed } = await list('?limit=3')
  expect(listed.map(({ id }) => id)).toEqual(ids.slice(-3).reverse())
  expect(listed[0]).toStrictEqual(await readCard(ann.key, `${cards}/${ids.at(-1)}`))
  expect(Object.keys(listed[0] ?? {}).sort()).toEqual(
    ['id', 'channel_id', 'status', 'blocks', 'created_at', 'updated_at'].sort(),
  )
})

test('50 cards at a time unless told otherwise', async () => {
  const first = await list()
  expect(first.cards).toHaveLength(50)
  expect(first.next_cursor).toEqual(expect.any(String))
})

test('cursors lead through all cards, each once, to null', async () => {
  const seen: string[] = []
  let query = '?limit=20'
  for (;;) {
    const page = await list(query)
    seen.push(...idsOf(page))
    if (page.next_cursor === null) break
    query = `?limit=20&cursor=${page.next_cursor}`
  }
  expect(seen).toEqual(ids.toReversed())
})

test('a last page that is full has no next', async () => {
  expect(await list('?limit=70')).toMatchObject({ next_cursor: null })
  const [, second] = [
    await list('?limit=35'),
    await list(`?limit=35&cursor=${(await list('?limit=35')).next_cursor}`),
  ]
  expect(second.cards).toHaveLength(35)
  expect(second.next_cursor).toBeNull()
})

test('cards that come or go meanwhile neither repeat nor hide others', async () => {
  const other = await createTestCards(ann)
  const own: string[] = []
  for (let i = 0; i < 6; i++) own.push(await push(other))
  const first = await list('?limit=2', other)
  await push(other)
  await ann.key('DELETE', `${other}/${own[4]}`)
  const second = await list(`?limit=2&cursor=${first.next_cursor}`, other)
  expect(idsOf(second)).toEqual([own[3], own[2]])
})

test('an empty channel has an empty list', async () => {
  expect(await list('', await createTestCards(ann))).toStrictEqual({ cards: [], next_cursor: null })
})

describe('limit', () => {
  test.each([1, 200])('%s is allowed', async limit => {
    const answer = await ann.key<List>('GET', `${cards}?limit=${limit}`)
    expect(answer.status).toBe(200)
    expect(answer.body.cards).toHaveLength(Math.min(limit, ids.length))
  })
  test.each([
    '0',
    '201',
    '-1',
    '1.5',
    '1e2',
    '0x10',
    'ten',
    '',
    '%20',
    '+5',
    'NaN',
    'Infinity',
    '99999999999999999999',
  ])('%s is 400', async limit => {
    expect(await ann.key('GET', `${cards}?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: 'limit must be a whole number from 1 to 200' },
    })
  })
})

describe('an unknown cursor is 400', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url')
  test.each([
    '',
    'x',
    '0',
    'p1',
    encode('1'),
    encode('p'),
    encode('p-1'),
    encode('p1.5'),
    encode('p1;'),
    '%00',
    '💥',
  ])('%j', async cursor => {
    expect(await ann.key('GET', `${cards}?cursor=${encodeURIComponent(cursor)}`)).toMatchObject({
      status: 400,
      body: { error: 'cursor is unknown' },
    })
  })
})

test('a card that is in the archive is read by its id as any other', async () => {
  const other = await createTestCards(ann)
  const first = await push(other)
  await Promise.all(Array.from({ length: 5 * 64 }, (_, i) => pushCard(ann.key, other, textCard(String(i)))))
  const [row] = await service.sql<{ position: number }[]>`select position from cards where id = ${first}`
  expect(row?.position).toBe(0)
  expect(await readCard(ann.key, `${other}/${first}`)).toMatchObject({ id: first })
  const patch = await ann.key('PATCH', `${other}/${first}`, { status: 'success' })
  expect(patch).toMatchObject({ status: 200, body: { status: 'success' } })
  expect(await readCard(ann.key, `${other}/${first}`)).toMatchObject({ status: 'success' })
})
