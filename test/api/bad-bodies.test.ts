// Bodies that are none: refused with JSON that says why, and nothing changes.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { createTestCards, textCard } from '../support/cards.ts'
import { cutOff, requestHead, sendRaw } from '../support/raw.ts'
import { startTestService, type TestService } from '../support/service.ts'

const LIMIT = 256 * 1024

let service: TestService
let ann: Account
let cards: string
let before: string

beforeAll(async () => {
  service = await startTestService()
  ann = await createAccount(service)
  cards = await createTestCards(ann)
})
afterAll(() => service.stop())

/** All that a refused request could have changed. */
const everything = async () =>
  JSON.stringify(
    await service.sql`
      select (select json_agg(c order by id) from cards c) as cards, (select json_agg(c order by id) from channels c) as channels,
        (select json_agg(w order by id) from workspaces w) as workspaces, (select json_agg(d) from documents d) as documents`,
  )
beforeEach(async () => {
  before = await everything()
})
afterEach(async () => {
  expect(await everything()).toBe(before)
})

const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  ann.key('POST', cards, body, headers)
const refused = (error: string, status = 400) => ({ status, body: { error } })
const text = (json: string) => `{"blocks":[{"type":"text","content":${json}}]}`

describe('malformed JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '{"blocks":[}',
    "{'a':1}",
    '{"a":1,}',
    'undefined',
    'NaN',
    '{} {}',
    '{"a":"\n"}',
    '\u0000{}',
  ])('%j is Invalid JSON', async body => {
    expect(await post(body)).toMatchObject(refused('Invalid JSON'))
  })
  test.each(['null', '[]', '"x"', '1', 'true'])('%s is JSON, but no object', async body => {
    expect(await post(body)).toMatchObject(refused('The request body must be a JSON object'))
  })
})

describe('the content type', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json+x',
    'json',
    '',
  ])('%j is refused', async type => {
    const body = JSON.stringify(textCard())
    expect(await post(body, { 'Content-Type': type })).toMatchObject(
      refused('Content-Type must be application/json'),
    )
  })
  test('missing is refused, also where the body is', async () => {
    for (const length of ['0', '2']) {
      const head = requestHead('POST', `/api/v1${cards}`, {
        Authorization: `Bearer ${ann.api_key}`,
        'Content-Length': length,
      })
      const answer = await sendRaw(service.url, head, length === '2' ? '{}' : '')
      expect(answer).toMatchObject({
        status: 400,
        body: JSON.stringify({ error: 'Content-Type must be application/json' }),
      })
    }
  })
})

describe('the size', () => {
  const filled = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`
  const tooLarge = refused('Request body too large', 413)

  test('of 256 KiB is read', async () => {
    expect(await post(filled(LIMIT))).toMatchObject(refused('blocks are required'))
  })
  test('of one byte more is 413', async () => {
    expect(await post(filled(LIMIT + 1))).toMatchObject(tooLarge)
  })
  test('counts bytes, not characters', async () => {
    expect(await post(`{"x":"${'é'.repeat(LIMIT / 2)}"}`)).toMatchObject(tooLarge)
  })
  test('of many megabytes is 413', async () => {
    expect(await post(filled(8 * 1024 * 1024))).toMatchObject(tooLarge)
  })
  test('that a Content-Length announces is refused before anything is sent', async () => {
    const head = requestHead('POST', `/api/v1${cards}`, {
      Authorization: `Bearer ${ann.api_key}`,
      'Content-Type': 'application/json',
      'Content-Length': '1000000',
    })
    expect(await sendRaw(service.url, head)).toMatchObject({
      status: 413,
      body: JSON.stringify(tooLarge.body),
    })
  })
  test('without a Content-Length is counted as it comes', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const head = requestHead('POST', `/api/v1${cards}`, {
      Authorization: `Bearer ${ann.api_key}`,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    })
    const answer = await sendRaw(service.url, head, chunk, chunk, chunk, chunk, chunk)
    expect(answer).toMatchObject({ status: 413 })
    expect(answer.body).toContain('Request body too large')
  })
})

test('a body that is cut off changes nothing, and harms nobody', async () => {
  const head = requestHead('POST', `/api/v1${cards}`, {
    Authorization: `Bearer ${ann.api_key}`,
    'Content-Type': 'application/json',
    'Content-Length': '500',
  })
  for (const start of ['', JSON.stringify(textCard())]) await cutOff(service.url, head + start)
  expect((await ann.key('GET', cards)).status).toBe(200)
})

describe('characters', () => {
  test.each([
    ['a lone byte', [0x22, 0xff, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('%s is no UTF-8', async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"blocks":[{"type":"text","content":'),
      Buffer.from(bytes),
      Buffer.from('}]}'),
    ])
    expect(await post(body)).toMatchObject(refused('The request body must be UTF-8'))
  })

  test.each([
    [text('"a\\u0000b"'), 'blocks[0].content must not contain NUL'],
    [text('"\\ud800"'), 'blocks[0].content must be well-formed Unicode'],
    [text('"\\uDFFF"'), 'blocks[0].content must be well-formed Unicode'],
    [text('"\\udc00\\ud800"'), 'blocks[0].content must be well-formed Unicode'],
    ['{"blocks":[],"unknown":{"deep":["\\u0000"]}}', 'unknown.deep[0] must not contain NUL'],
    ['{"blocks":[],"a\\u0000b":1}', 'The request body must not contain NUL'],
    ['"\\u0000"', 'The request body must not contain NUL'],
  ])('%s is refused: %s', async (body, error) => {
    expect(await post(body)).toMatchObject(refused(error))
  })

  test('of a workspace’s name are held to the same', async () => {
    expect(await ann.session('POST', '/workspaces', '{"name":"\\u0000"}')).toMatchObject(
      refused('name must not contain NUL'),
    )
  })
})

describe('nesting', () => {
  const deep = (depth: number, core = '1') => '['.repeat(depth) + core + ']'.repeat(depth)
  test.each([
    ['as the body', deep(20_000), 'The request body must be a JSON object'],
    ['as the blocks', `{"blocks":${deep(20_000)}}`, 'blocks[0] must be an object'],
    ['as a field', text(deep(20_000)), 'blocks[0].content must be a string'],
    ['of objects', `{"blocks":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, 'blocks must be an array'],
    ['in an unknown field', `{"x":${deep(20_000)}}`, 'blocks are required'],
  ])('20,000 deep %s is refused as anything else', async (_, body, error) => {
    expect(await post(body)).toMatchObject(refused(error))
  })

  test('with NUL at its bottom is refused in a moment, and the answer is short', async () => {
    const started = performance.now()
    const answer = await post(`{"x":${deep(120_000, '"\\u0000"')}}`)
    expect(answer.status).toBe(400)
    expect(String(answer.body.error).length).toBeLessThan(1_000)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
