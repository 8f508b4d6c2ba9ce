// The list of a channel's cards: newest first, page by page.
import { describe, expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import { createTestChannel, pushCard, readCard } from '../support/cards.ts'
import { invalid } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'

type List = { cards: Card[]; next_cursor: string | null }

/** Oldest first. */
const ids: string[] = []

const { ann } = await runWithOwner()
const cards = await createTestChannel(ann)

const push = async (to: string) => (await pushCard(ann.key, to)).split('/').at(-1) ?? ''
for (let i = 0; i < 70; i++) ids.push(await push(cards))
const list = async (query = '', from = cards) => (await ann.key<List>('GET', `${from}${query}`)).body
const idsOf = ({ cards }: List) => cards.map(({ id }) => id)

test('lists cards newest first, with the JSON of GET', async () => {
  const { cards: listed } = await list('?limit=3')
  expect(listed.map(({ id }) => id)).toEqual(ids.slice(-3).reverse())
  expect(listed[0]).toStrictEqual(await readCard(ann.key, `${cards}/${ids.at(-1)}`))
  expect(Object.keys(listed[0] ?? {}).sort()).toEqual(
    ['id', 'channel_id', 'status', 'blocks', 'created_at', 'updated_at'].sort(),
  )
})

test('a page has 50 cards by default', async () => {
  const first = await list()
  expect(first.cards).toHaveLength(50)
  expect(first.next_cursor).toEqual(expect.any(String))
})

test('cursors visit every card once and end with null', async () => {
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

test('a full last page has no next_cursor', async () => {
  expect(await list('?limit=70')).toMatchObject({ next_cursor: null })
  const [, second] = [
    await list('?limit=35'),
    await list(`?limit=35&cursor=${(await list('?limit=35')).next_cursor}`),
  ]
  expect(second.cards).toHaveLength(35)
  expect(second.next_cursor).toBeNull()
})

test("cards created or deleted meanwhile don't repeat or hide others", async () => {
  const other = await createTestChannel(ann)
  const own: string[] = []
  for (let i = 0; i < 6; i++) own.push(await push(other))
  const first = await list('?limit=2', other)
  await push(other)
  await ann.key('DELETE', `${other}/${own[4]}`)
  const second = await list(`?limit=2&cursor=${first.next_cursor}`, other)
  expect(idsOf(second)).toEqual([own[3], own[2]])
})

test('an empty channel has an empty list', async () => {
  expect(await list('', await createTestChannel(ann))).toStrictEqual({ cards: [], next_cursor: null })
})

describe('limit', () => {
  test.each([1, 200])('the limit %s is allowed', async limit => {
    const response = await ann.key<List>('GET', `${cards}?limit=${limit}`)
    expect(response.status).toBe(200)
    expect(response.body.cards).toHaveLength(Math.min(limit, ids.length))
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
  ])('the limit %s returns 400', async limit => {
    expect(await ann.key('GET', `${cards}?limit=${limit}`)).toMatchObject(
      invalid('limit must be a whole number from 1 to 200'),
    )
  })
})

describe('an unknown cursor', () => {
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
  ])('the unknown cursor %j returns 400', async cursor => {
    expect(await ann.key('GET', `${cards}?cursor=${encodeURIComponent(cursor)}`)).toMatchObject(
      invalid('cursor is unknown'),
    )
  })
})
