// Creating, reading and deleting cards over HTTP: responses equal what is stored.
import { describe, expect, test } from 'vitest'
import { UUID_V4 } from '../support/blocks.ts'
import { createTestChannel, ISO, pushCard, readCard, readDocumentCards, textCard } from '../support/cards.ts'
import { notFound } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'

const { service, ann } = await runWithOwner()
const cards = await createTestChannel(ann)

describe('creating a card', () => {
  test('creating a card returns 201 with only id, channel_id and created_at', async () => {
    const { status, body, headers } = await ann.key('POST', cards, textCard())
    expect(status).toBe(201)
    expect(headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(body).toStrictEqual({
      id: expect.stringMatching(UUID_V4),
      channel_id: cards.split('/')[2],
      created_at: expect.stringMatching(ISO),
    })
  })

  test('creating a card stores the blocks with defaults, the status default, and updated_at equal to created_at', async () => {
    const { body } = await ann.key<{ id: string; created_at: string }>('POST', cards, {
      blocks: [
        { type: 'text', content: 'Hi\u2028😀', extra: 1 },
        { type: 'image', url: 'https://example.com', alt: null },
      ],
    })
    const { id, created_at } = body
    const card = await readCard(ann.key, `${cards}/${id}`)
    const text = { type: 'text', content: 'Hi\u2028😀', size: 'md', bold: false }
    expect(card).toStrictEqual({
      id,
      channel_id: cards.split('/')[2],
      status: 'default',
      blocks: [
        { id: expect.stringMatching(UUID_V4), ...text },
        { id: expect.stringMatching(UUID_V4), type: 'image', url: 'https://example.com' },
      ],
      created_at,
      updated_at: created_at,
    })
    const [row] = await service.sql`select blocks from cards where id = ${id}`
    expect(row?.blocks).toStrictEqual(card.blocks)
    const document = await readDocumentCards(ann, cards)
    expect(document.find(shown => shown.id === id)).toStrictEqual({ ...card, position: expect.any(Number) })
  })

  test('creating a card keeps the order of blocks', async () => {
    const blocks = Array.from({ length: 100 }, (_, i) => ({ type: 'divider', id: String(99 - i) }))
    const path = await pushCard(ann.key, cards, { blocks })
    expect((await readCard(ann.key, path)).blocks).toStrictEqual(blocks)
  })

  test.each(['application/json;charset=utf-8', 'Application/JSON ; charset=UTF-8'])(
    'creating a card takes Content-Type %s',
    async type => {
      expect((await ann.key('POST', cards, textCard(), { 'Content-Type': type })).status).toBe(201)
    },
  )
})

describe("the dashboard's routes", () => {
  test("the dashboard's routes create, read, patch and delete the same card", async () => {
    const path = await pushCard(ann.session, cards)
    expect(await readCard(ann.session, path)).toStrictEqual(await readCard(ann.key, path))
    const patch = await ann.session('PATCH', path, { status: 'error' })
    expect(patch).toMatchObject({ status: 200, body: { status: 'error' } })
    expect((await ann.session('DELETE', path)).status).toBe(204)
    expect((await ann.key('GET', path)).status).toBe(404)
  })
})

describe('deleting a card', () => {
  test('deleting a card returns 204 without a body and removes it from rows and document', async () => {
    const path = await pushCard(ann.key, cards)
    const id = path.split('/').at(-1)
    expect(await ann.key('DELETE', path)).toMatchObject({ status: 204, body: null })
    expect(await ann.key('GET', path)).toMatchObject(notFound('Card'))
    expect(await ann.key('PATCH', path, { status: 'error' })).toMatchObject(notFound('Card'))
    expect(await service.sql`select from cards where id = ${id ?? ''}`).toHaveLength(0)
    expect((await readDocumentCards(ann, cards)).map(card => card.id)).not.toContain(id)
  })

  test('deleting a card in parallel succeeds once', async () => {
    const path = await pushCard(ann.key, cards)
    const responses = await times(5, () => ann.key('DELETE', path))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
  })
})

test('a card of another channel returns 404', async () => {
  const path = await pushCard(ann.key, await createTestChannel(ann))
  const strange = `${cards}/${path.split('/').at(-1)}`
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { status: 'error' } : undefined
    expect(await ann.key(method, strange, body)).toMatchObject(notFound('Card'))
  }
  expect((await ann.key('GET', path)).status).toBe(200)
})

test('ids in a path may be in upper case', async () => {
  const path = await pushCard(ann.key, cards)
  const [, , channel = '', , card = ''] = path.split('/')
  const upper = `/channels/${channel.toUpperCase()}/cards/${card.toUpperCase()}`
  expect((await ann.key('GET', upper)).status).toBe(200)
})
