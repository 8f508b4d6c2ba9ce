// Channel attributes: keys, values, clearing, and the timestamps of changes.
import { beforeEach, describe, expect, test } from 'vitest'
import { createChannel } from '../support/channels.ts'
import { invalid, notFound } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'

let channel_id: string
let path: string
let clock = Date.now()
const tick = () => new Date(++clock).toISOString()

const { service, ann } = await runWithOwner({}, { now: () => clock })
beforeEach(async () => {
  channel_id = await createChannel(ann)
  path = `/channels/${channel_id}/attributes`
})

const put = (body: unknown) => ann.key('PUT', path, body)
const get = () => ann.key<Record<string, string>>('GET', path)
/** Without the timestamps. */
async function attributes(): Promise<Record<string, string>> {
  const { created_at: _, updated_at: __, ...rest } = (await get()).body
  return rest
}

describe('PUT', () => {
  test('PUT and GET return all attributes and the timestamps in a flat object', async () => {
    const at = tick()
    const { status, body } = await put({ env: 'prod', team: 'core' })
    expect(status).toBe(200)
    expect(body).toStrictEqual({ env: 'prod', team: 'core', created_at: at, updated_at: at })
    expect(await get()).toMatchObject({ status: 200 })
    expect((await get()).body).toStrictEqual(body)
    expect((await ann.session('GET', path)).body).toStrictEqual(body)
  })

  test('PUT keeps attributes that are not in the body', async () => {
    await put({ a: '1', b: '2' })
    await put({ b: '3', c: '4' })
    expect(await attributes()).toStrictEqual({ a: '1', b: '3', c: '4' })
  })

  test('PUT lowercases keys', async () => {
    await put({ ENV: 'prod', Ärger: 'x', ΣΊΣΥΦΟΣ: 'y' })
    expect(await attributes()).toStrictEqual({ env: 'prod', ärger: 'x', σίσυφος: 'y' })
  })

  test('PUT takes the last of keys that are equal in lower case', async () => {
    await put({ env: '1', Env: '2', ENV: '3' })
    expect(await attributes()).toStrictEqual({ env: '3' })
    await put({ ENV: '4', env: '' })
    expect(await attributes()).toStrictEqual({})
    await put({ env: '', ENV: '5' })
    expect(await attributes()).toStrictEqual({ env: '5' })
  })

  test("PUT of an empty string clears an attribute, even one that doesn't exist", async () => {
    await put({ a: '1', b: '2' })
    const { status, body } = await put({ A: '', none: '' })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['b', 'created_at', 'updated_at'])
  })

  test('PUT accepts keys of 64 and values of 1,000 characters, counted as code points', async () => {
    const given = { ['😀'.repeat(64)]: '😀'.repeat(1_000), ' spaced  key ': ' spaced ' }
    expect((await put(given)).status).toBe(200)
    expect(await attributes()).toStrictEqual(given)
  })

  test('an empty body changes nothing', async () => {
    const before = await get()
    tick()
    expect((await put({})).body).toStrictEqual(before.body)
  })

  const rows = (error: string, ...bodies: unknown[]) =>
    bodies.map((body): [string, unknown, string] => [JSON.stringify(body), body, error])
  test.each<[string, unknown, string]>([
    ...rows('created_at is reserved', { created_at: 'x' }, { Created_At: 'x' }, { created_at: null }),
    ...rows('updated_at is reserved', { updated_at: 'x' }, { UPDATED_AT: '' }),
    ...rows('n must be a string', { n: 1 }, { n: null }, { n: true }, { n: {} }, { n: ['x'] }),
    ...rows('count must be a string', { Count: 1 }),
    ['an empty key', { '': 'x' }, 'key must have 1 to 64 characters'],
    ['a value of 1,001 characters', { N: 'x'.repeat(1_001) }, 'n must be at most 1000 characters'],
    ['a NUL in a value', '{"a": "x\\u0000"}', 'a must not contain NUL'],
    ['a NUL in a key', '{"a\\u0000": "x"}', 'The request body must not contain NUL'],
    ['half a surrogate pair', '{"a": "\\ud800"}', 'a must be well-formed Unicode'],
    ...rows('The request body must be a JSON object', [], '"x"', 'null'),
  ])('PUT with %s returns 400 and changes nothing', async (_, body, error) => {
    await put({ kept: '1' })
    const before = await get()
    tick()
    const isFields = typeof body === 'object' && !Array.isArray(body)
    const given = isFields ? { kept: '2', new: '3', ...body } : body
    expect(await put(given)).toMatchObject(invalid(error))
    expect(await get()).toMatchObject({ body: before.body })
  })

  test('a key of 65 characters returns 400', async () => {
    const { status, body } = await put({ ['X'.repeat(65)]: 'x' })
    expect({ status, body }).toMatchObject(invalid(`${'x'.repeat(65)} must have 1 to 64 characters`))
  })

  test('PUT allows 100 attributes per channel, in one request and over several', async () => {
    const many = (count: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'x']))
    expect(await put(many(101, 'a'))).toMatchObject(invalid('A channel has at most 100 attributes'))
    expect((await put(many(60, 'a'))).status).toBe(200)
    expect((await put(many(60, 'b'))).status).toBe(400)
    expect(Object.keys(await attributes())).toHaveLength(60)
    expect((await put(many(40, 'b'))).status).toBe(200)
  })

  test('parallel requests keep every key', async () => {
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`)
    const responses = await Promise.all(keys.map(key => put({ [key]: key })))
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(Object.keys(await attributes()).sort()).toEqual(keys.sort())
  })
})

describe('the timestamps', () => {
  test("until the first change, the timestamps are the channel's created_at", async () => {
    const { body } = await ann.key('GET', `/channels/${channel_id}`)
    expect((await get()).body).toStrictEqual({ created_at: body.created_at, updated_at: body.created_at })
  })

  test('the timestamps are the times of the first and the latest change', async () => {
    const first = tick()
    await put({ a: '1' })
    tick()
    const latest = tick()
    await put({ b: '2' })
    expect((await get()).body).toMatchObject({ created_at: first, updated_at: latest })
    const cleared = tick()
    await put({ a: '', b: '' })
    expect((await get()).body).toStrictEqual({ created_at: first, updated_at: cleared })
  })

  test('the timestamps stay if a PUT changes nothing', async () => {
    const at = tick()
    await put({ a: '1' })
    tick()
    await put({ a: '1', none: '' })
    expect((await get()).body).toMatchObject({ created_at: at, updated_at: at })
  })
})

describe('attributes given at creation', () => {
  const create = (attributes: unknown) =>
    ann.key<{ id: string }>('POST', '/channels', { name: 'C', workspace_id: ann.workspace_id, attributes })

  test('attributes given at creation follow the same rules as PUT', async () => {
    const at = tick()
    const { body } = await create({ Env: 'prod', ENV: 'test', none: '' })
    expect((await ann.key('GET', `/channels/${body.id}/attributes`)).body).toStrictEqual({
      env: 'test',
      created_at: at,
      updated_at: at,
    })
  })

  test.each([
    [{ Created_at: 'x' }, 'attributes.created_at is reserved'],
    [{ N: 1 }, 'attributes.n must be a string'],
    [[], 'attributes must be an object'],
    ['x', 'attributes must be an object'],
    [null, 'attributes must be an object'],
  ])('a new channel with the attributes %j returns 400: %s', async (given, error) => {
    const count = () => service.sql`select count(*) from channels`
    const before = await count()
    expect(await create(given)).toMatchObject(invalid(error))
    expect(await count()).toStrictEqual(before)
  })
})

test('attributes of a channel deleted elsewhere a moment ago return 404', async () => {
  await put({ a: '1' })
  await service.sql`delete from channels where id = ${channel_id}`
  expect(await put({ a: '2' })).toMatchObject(notFound('Channel'))
  expect(await get()).toMatchObject(notFound('Channel'))
})
