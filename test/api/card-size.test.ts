// The blocks of a card take at most 256 KiB as JSON, and the cards of a turn little more than a megabyte.
import { expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import { CARD_MAX_BYTES } from '../../shared/limits.ts'
import { createTestChannel, pushCard, readCard } from '../support/cards.ts'
import { invalid } from '../support/errors.ts'
import { blocksOf, storeBlocks } from '../support/large-cards.ts'
import { runWithOwner } from '../support/running.ts'

const TOO_LARGE = invalid(`blocks must take at most ${CARD_MAX_BYTES} bytes as JSON`)

const { service, ann } = await runWithOwner({ DAILY_CARD_LIMIT: '1000' })
const cards = await createTestChannel(ann)
const channel_id = cards.split('/')[2] ?? ''

const sizeOf = ({ blocks }: Pick<Card, 'blocks'>) => Buffer.byteLength(JSON.stringify(blocks))
const append = (value: string) => ({ blocks: [{ id: 'kv', patch: { append_rows: [{ key: '', value }] } }] })
const cardsUsed = async () =>
  (await ann.session<{ cards: { used: number } }>('GET', '/usage')).body.cards.used

/** In a request, these buttons take a sixth of what they take with their defaults. */
const buttons = Array.from({ length: 25 }, () => ({ label: 'a'.repeat(60) }))
const growing = (count: number) => ({
  blocks: Array.from({ length: count }, () => ({ type: 'button', buttons })),
})

test.each(['x', 'é', '😀', '\n', '"'])('%j counts as in JSON that is encoded in UTF-8', async character => {
  const path = await pushCard(ann.key, cards, { blocks: blocksOf(CARD_MAX_BYTES - 1_000, character) })
  const fits = 'x'.repeat(1_000 - Buffer.byteLength(',{"key":"","value":""}'))
  expect(await ann.key('PATCH', path, append(`${fits}x`))).toMatchObject(TOO_LARGE)
  expect((await ann.key('PATCH', path, append(fits))).status).toBe(200)
  expect(sizeOf(await readCard(ann.key, path))).toBe(CARD_MAX_BYTES)
})

test('a card that defaults make too large is refused, and takes nothing from the quota', async () => {
  const used = await cardsUsed()
  expect(await ann.key('POST', cards, growing(100))).toMatchObject(TOO_LARGE)
  expect(await ann.session('POST', cards, growing(100))).toMatchObject(TOO_LARGE)
  expect(await ann.key('PUT', `${cards}/by-key/grown`, growing(100))).toMatchObject(TOO_LARGE)
  expect((await ann.key('GET', `${cards}/by-key/grown`)).status).toBe(404)
  expect(await cardsUsed()).toBe(used)
})

test('a PUT that would make a card too large changes nothing', async () => {
  const path = `${cards}/by-key/replaced`
  await ann.key('PUT', path, growing(1))
  const before = await readCard(ann.key, path)
  expect(await ann.key('PUT', path, growing(100))).toMatchObject(TOO_LARGE)
  expect(await readCard(ann.key, path)).toStrictEqual(before)
})

test('a question counts with what the service adds to it', async () => {
  const question = { type: 'button', buttons: [{ label: 'Yes' }], decision: {} }
  const rows = blocksOf(CARD_MAX_BYTES - 600)
  expect((await ann.key('POST', cards, { blocks: [...rows, { ...question, decision: null }] })).status).toBe(
    201,
  )
  expect(await ann.key('POST', cards, { blocks: [...rows, question, question] })).toMatchObject(TOO_LARGE)
})

test('a larger card from before can be read and changed, but not grow', async () => {
  const path = await pushCard(ann.key, cards, { blocks: blocksOf(1_000) })
  const { id } = await readCard(ann.key, path)
  const blocks = blocksOf(1_500_000)
  await storeBlocks(service, channel_id, [id], blocks)
  expect((await readCard(ann.key, path)).blocks).toStrictEqual(blocks)

  const [kv] = blocks
  const rows = kv?.type === 'kv' ? kv.rows : []
  const withRows = (changed: typeof rows) => ({ blocks: [{ id: 'kv', patch: { rows: changed } }] })
  expect((await ann.key('PATCH', path, { status: 'success' })).status).toBe(200)
  expect(await ann.key('PATCH', path, append(''))).toMatchObject(TOO_LARGE)
  const smaller = rows.slice(0, 40)
  const { status, body } = await ann.key<Card>(
    'PATCH',
    path,
    withRows(smaller.map(() => ({ key: '', value: 'y' }))),
  )
  expect(status).toBe(200)
  expect(sizeOf(body)).toBeLessThan(CARD_MAX_BYTES)
})

test('large cards that arrive together share a turn only up to a megabyte', async () => {
  const channel = await createTestChannel(ann)
  const push = () => pushCard(ann.key, channel, { blocks: blocksOf(200_000) })
  const paths = await Promise.all(Array.from({ length: 24 }, push))
  await Promise.all(paths.map(path => ann.key('PATCH', path, { status: 'success' })))
  const turns = await service.sql<{ bytes: number }[]>`
    select octet_length(update) as bytes from document_updates
    where channel_id = ${channel.split('/')[2] ?? ''} order by seq`
  expect(Math.max(...turns.map(({ bytes }) => bytes))).toBeLessThan(1_048_576 + CARD_MAX_BYTES)
  // Each PATCH counts with its card, although it changes little: 24 cards take four or five turns at least.
  expect(turns.length).toBeGreaterThanOrEqual(1 + 4 + 4)
  for (const path of paths) expect(await readCard(ann.key, path)).toMatchObject({ status: 'success' })
})
