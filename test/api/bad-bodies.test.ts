// Malformed bodies return an error that names the reason, and change nothing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestCards, textCard } from '../support/cards.ts'
import { failed, invalid } from '../support/errors.ts'
import { cutOff, requestHead, sendRaw } from '../support/raw.ts'
import { runWithOwner } from '../support/running.ts'

const LIMIT = 256 * 1024

let before: string

const { service, ann } = await runWithOwner()
const cards = await createTestCards(ann)

/** Everything that a request could have changed. */
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
/** Sends the card as raw bytes, with these headers. */
const raw = (headers: Record<string, string>, ...parts: string[]) =>
  sendRaw(service.url, headOf(headers), ...parts)
const headOf = (headers: Record<string, string>) =>
  requestHead('POST', `/api/v1${cards}`, { Authorization: `Bearer ${ann.api_key}`, ...headers })
const json = { 'Content-Type': 'application/json' }
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
  ])('%j returns Invalid JSON', async body => {
    expect(await post(body)).toMatchObject(invalid('Invalid JSON'))
  })
  test.each(['null', '[]', '"x"', '1', 'true'])('%s is not a JSON object', async body => {
    expect(await post(body)).toMatchObject(invalid('The request body must be a JSON object'))
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
  ])('%j returns 400', async type => {
    const body = JSON.stringify(textCard())
    expect(await post(body, { 'Content-Type': type })).toMatchObject(
      invalid('Content-Type must be application/json'),
    )
  })
  test('a missing content type returns 400, even without a body', async () => {
    const body = JSON.stringify({ error: 'Content-Type must be application/json' })
    for (const given of ['', '{}'])
      expect(await raw({ 'Content-Length': String(given.length) }, given)).toMatchObject({
        status: 400,
        body,
      })
  })
})

describe('the size', () => {
  const filled = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`
  const tooLarge = failed(413, 'Request body too large')

  test('256 KiB are accepted', async () => {
    expect(await post(filled(LIMIT))).toMatchObject(invalid('blocks are required'))
  })
  test.each([
    ['one byte more returns 413', filled(LIMIT + 1)],
    ['bytes count, not characters', `{"x":"${'é'.repeat(LIMIT / 2)}"}`],
    ['many megabytes return 413', filled(8 * 1024 * 1024)],
  ])('%s', async (_, body) => {
    expect(await post(body)).toMatchObject(tooLarge)
  })
  test('a large Content-Length returns 413 before the body is sent', async () => {
    const body = JSON.stringify(tooLarge.body)
    expect(await raw({ ...json, 'Content-Length': '1000000' })).toMatchObject({ status: 413, body })
  })
  test('a chunked body is counted as it arrives', async () => {
    const chunks: string[] = Array(5).fill(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    const response = await raw({ ...json, 'Transfer-Encoding': 'chunked' }, ...chunks)
    expect(response).toMatchObject({ status: 413 })
    expect(response.body).toContain('Request body too large')
  })
})

test("a truncated body changes nothing and doesn't disturb other requests", async () => {
  const head = headOf({ ...json, 'Content-Length': '500' })
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
  ])('%s is not valid UTF-8', async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"blocks":[{"type":"text","content":'),
      Buffer.from(bytes),
      Buffer.from('}]}'),
    ])
    expect(await post(body)).toMatchObject(invalid('The request body must be UTF-8'))
  })

  test.each([
    [text('"a\\u0000b"'), 'blocks[0].content must not contain NUL'],
    [text('"\\ud800"'), 'blocks[0].content must be well-formed Unicode'],
    [text('"\\uDFFF"'), 'blocks[0].content must be well-formed Unicode'],
    [text('"\\udc00\\ud800"'), 'blocks[0].content must be well-formed Unicode'],
    ['{"blocks":[],"unknown":{"deep":["\\u0000"]}}', 'unknown.deep[0] must not contain NUL'],
    ['{"blocks":[],"a\\u0000b":1}', 'The request body must not contain NUL'],
    ['"\\u0000"', 'The request body must not contain NUL'],
  ])('%s returns 400: %s', async (body, error) => {
    expect(await post(body)).toMatchObject(invalid(error))
  })

  test("the same rules hold for a workspace's name", async () => {
    expect(await ann.session('POST', '/workspaces', '{"name":"\\u0000"}')).toMatchObject(
      invalid('name must not contain NUL'),
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
  ])('20,000 levels %s get an ordinary error', async (_, body, error) => {
    expect(await post(body)).toMatchObject(invalid(error))
  })

  test('NUL at the deepest level gets a short error quickly', async () => {
    const started = performance.now()
    const response = await post(`{"x":${deep(120_000, '"\\u0000"')}}`)
    expect(response.status).toBe(400)
    expect(String(response.body.error).length).toBeLessThan(1_000)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
