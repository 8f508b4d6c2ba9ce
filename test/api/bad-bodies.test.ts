// Malformed bodies return an error that names the reason, and change nothing.
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestChannel, textCard } from '../support/cards.ts'
import { failed, invalid } from '../support/errors.ts'
import { cutOff, requestHead, sendRaw } from '../support/raw.ts'
import { runWithOwner } from '../support/running.ts'

const LIMIT = 256 * 1024

let before: string

const { service, ann } = await runWithOwner()
const cards = await createTestChannel(ann)

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

test.each(['gzip', 'br', 'GZIP, identity', 'x'])(
  'a body with Content-Encoding %j returns 415',
  async encoding => {
    const packed = gzipSync(text('"a"'))
    expect(await post(packed, { ...json, 'Content-Encoding': encoding })).toMatchObject(
      failed(415, 'Content-Encoding is not supported'),
    )
  },
)

describe('deep JSON', () => {
  /** `levels` arrays inside each other, in a card whose blocks are levels 2 and 3. */
  const nested = (levels: number) =>
    `{"blocks":[{"type":"divider","x":${'['.repeat(levels)}${']'.repeat(levels)}}],"status":"none"}`
  const tooDeep = invalid('Invalid JSON')
  /** JSON with 64 levels is read, and its status is wrong. */
  const isRead = invalid('status must be one of default, success, warning, error, pending')

  test('JSON nested 20,000 levels deep returns 400 Invalid JSON, wherever it stands in the body', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    for (const body of [deep, `{"blocks":${deep}}`, text(deep), `{"x":${deep}}`])
      expect(await post(body, json)).toMatchObject(tooDeep)
  })

  test('JSON with more than 64 levels of arrays returns 400 Invalid JSON, whatever stands beside them', async () => {
    expect(await post(nested(61), json)).toMatchObject(isRead)
    expect(await post(nested(62), json)).toMatchObject(tooDeep)
    const beside = `{"blocks":[{"type":"button","buttons":[{"label":"a"}],"decision":{}}],"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    expect(await post(beside, json)).toMatchObject(tooDeep)
  })

  test('JSON with more than 64 levels of objects returns 400 Invalid JSON, even in PUT and PATCH', async () => {
    const objects = `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`
    expect(await ann.key('PUT', `${cards}/by-key/x`, objects, json)).toMatchObject(tooDeep)
    expect(await ann.session('PATCH', `/workspaces/${ann.workspace_id}`, objects, json)).toMatchObject(
      tooDeep,
    )
  })

  test('brackets in text are no levels', async () => {
    const brackets = `"${'[{'.repeat(200)}\\\\\\"${'['.repeat(100)}"`
    const body = `{"blocks":[{"type":"text","content":${brackets}}],"status":"none"}`
    expect(await post(body, json)).toMatchObject(isRead)
  })
})

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
  ])('the body %j returns Invalid JSON', async body => {
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
  ])('the content type %j returns 400', async type => {
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
  ])('%s returns 413', async (_, body) => {
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
