// Cards with a key chosen by the automation: PUT creates or replaces; GET, PATCH and DELETE accept the key.
import { beforeEach, describe, expect, test } from 'vitest'
import { UUID_V4 } from '../support/blocks.ts'
import { createTestChannel, ISO, pushCard, readCard, readDocumentCards, textCard } from '../support/cards.ts'
import { invalid, notFound } from '../support/errors.ts'
import { requestHead, sendRaw } from '../support/raw.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'

let cards: string

const { service, ann } = await runWithOwner()
beforeEach(async () => {
  cards = await createTestChannel(ann)
})

const byKey = (key: string) => `${cards}/by-key/${encodeURIComponent(key)}`

describe('PUT by key', () => {
  test('PUT by key creates with 201, then replaces blocks and status with 200 and keeps the id', async () => {
    const made = await ann.key<{ id: string }>('PUT', byKey('build 7'), {
      ...textCard('one'),
      status: 'pending',
    })
    const channel_id = cards.split('/')[2]
    expect(made.status).toBe(201)
    expect(made.body).toStrictEqual({
      id: expect.stringMatching(UUID_V4),
      channel_id,
      key: 'build 7',
      created_at: expect.stringMatching(ISO),
    })
    const before = await readCard(ann.key, byKey('build 7'))
    const put = await ann.key('PUT', byKey('build 7'), { blocks: [{ type: 'divider', id: 'd' }] })
    const card = {
      id: made.body.id,
      channel_id,
      status: 'default',
      blocks: [{ type: 'divider', id: 'd' }],
      updated_at: expect.stringMatching(ISO),
      key: 'build 7',
    }
    expect(put).toMatchObject({ status: 200 })
    expect(put.body).toStrictEqual(card)
    const after = await readCard(ann.key, byKey('build 7'))
    expect(after).toStrictEqual({ ...card, created_at: before.created_at })
    expect(await readDocumentCards(ann, cards)).toStrictEqual([{ ...after, position: 0 }])
  })

  test('parallel requests create one card', async () => {
    const puts = await times(20, i => ann.key<{ id: string }>('PUT', byKey('k'), textCard(String(i))))
    expect(puts.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(puts.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(new Set(puts.map(({ body }) => body.id)).size).toBe(1)
    expect(await readDocumentCards(ann, cards)).toHaveLength(1)
  })

  test('PUT by key creates a new card after a DELETE', async () => {
    const first = await ann.key('PUT', byKey('k'), textCard())
    expect((await ann.key('DELETE', byKey('k'))).status).toBe(204)
    const second = await ann.key('PUT', byKey('k'), textCard())
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
  })

  test('PUT and DELETE in parallel leave rows and document equal', async () => {
    await times(40, i =>
      i % 2 ? ann.key('DELETE', byKey('k')) : ann.key('PUT', byKey('k'), textCard(String(i))),
    )
    const list = await ann.key<{ cards: unknown[] }>('GET', cards)
    const shown = await readDocumentCards(ann, cards)
    expect(shown.map(({ position: _, ...card }) => card)).toStrictEqual(list.body.cards)
  })

  test('PUT by key follows the rules of a POST', async () => {
    expect(await ann.key('PUT', byKey('k'), {})).toMatchObject(invalid('blocks are required'))
    expect((await ann.key('GET', byKey('k'))).status).toBe(404)
  })
})

test.each([
  ['a slash', 'a/b'],
  ['a question mark and a hash', 'a?b#c'],
  ['a per cent sign', '100%'],
  ['an emoji', '🚀'],
  ['a UUID', '00000000-0000-4000-8000-000000000000'],
  ['dots', '..a'],
  ['255 characters', '😀'.repeat(255)],
])('a key may contain %s', async (_, key) => {
  expect((await ann.key('PUT', byKey(key), textCard())).body).toMatchObject({ key })
  expect((await ann.key('GET', byKey(key))).body).toMatchObject({ key })
})

test.each([
  ['longer than 255 characters', 'x'.repeat(256), 'key must have 1 to 255 characters'],
  ['with NUL', 'a\0b', 'key must be well-formed Unicode without NUL'],
])('a key %s returns 400', async (_, key, error) => {
  expect(await ann.key('PUT', byKey(key), textCard())).toMatchObject(invalid(error))
})

test.each(['%ff', 'a%', '%ED%A0%80'])('a key sent as %s is not UTF-8 and returns 400', async key => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
    const response = await ann.key(
      method,
      `${cards}/by-key/${key}`,
      method === 'GET' ? undefined : textCard(),
    )
    expect(response).toMatchObject(invalid('key must be UTF-8'))
  }
})

test('PATCH by key returns the key', async () => {
  await ann.key('PUT', byKey('k'), textCard())
  const patch = await ann.key('PATCH', byKey('k'), { blocks: [{ id: 'text', patch: { content: 'New' } }] })
  expect(patch).toMatchObject({ status: 200, body: { key: 'k', blocks: [{ content: 'New' }] } })
})

test('the list, GET and PATCH by id return the key, if the card has one', async () => {
  const { body } = await ann.key<{ id: string }>('PUT', byKey('k'), textCard())
  const plain = await pushCard(ann.key, cards)
  const path = `${cards}/${body.id}`
  expect(await readCard(ann.key, path)).toMatchObject({ key: 'k' })
  expect((await ann.key('PATCH', path, { status: 'error' })).body).toMatchObject({ key: 'k' })
  const list = await ann.key<{ cards: object[] }>('GET', cards)
  expect(list.body.cards).toMatchObject([{}, { key: 'k' }])
  expect(await readCard(ann.key, plain)).not.toHaveProperty('key')
})

test.each(['GET', 'PATCH', 'DELETE'])('%s of an unknown key returns 404', async method => {
  const body = method === 'PATCH' ? {} : undefined
  expect(await ann.key(method, byKey('none'), body)).toMatchObject(notFound('Card'))
})

test('the same key in two channels names two cards', async () => {
  const first = await ann.key('PUT', byKey('k'), textCard())
  cards = await createTestChannel(ann)
  const second = await ann.key('PUT', byKey('k'), textCard())
  expect(second.status).toBe(201)
  expect(second.body.id).not.toBe(first.body.id)
})

test.each(['.', '..', '%2e', '%2E%2e', '.%2E'])(
  'the key %s returns 400, though URLs resolve it as a step of the path',
  async key => {
    for (const [method, end] of [
      ['PUT', ''],
      ['PATCH', ''],
      ['GET', ''],
      ['GET', '?x=1'],
      ['GET', '/decision'],
    ] as const) {
      const path = `/api/v1${cards}/by-key/${key}${end}`
      const headers = {
        Authorization: `Bearer ${ann.api_key}`,
        'Content-Type': 'application/json',
        'Content-Length': '2',
      }
      const { status, body } = await sendRaw(service.url, requestHead(method, path, headers), '{}')
      expect([method, end, status, JSON.parse(body)]).toEqual([
        method,
        end,
        400,
        { error: 'key must not be . or ..' },
      ])
    }
  },
)
