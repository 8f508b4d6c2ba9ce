// What the dashboard alone does with header actions: change one, put them in order, bring one back.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginEpoch } from '../../server/feed/epochs.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { type Account, createAccount } from '../support/account.ts'
import { createChannel, refusal } from '../support/channels.ts'
import { watchChannel } from '../support/pass.ts'
import { caller, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let ann: Account
let bob: Account
let channel_id: string
let path: string

beforeAll(async () => {
  service = await startTestService()
  ann = await createAccount(service)
  bob = await createAccount(service)
})
afterAll(() => service.stop())
beforeEach(async () => {
  channel_id = await createChannel(ann)
  path = `/channels/${channel_id}/actions`
})

async function add(label: string, position = 0): Promise<string> {
  const { body } = await ann.key<{ id: string }>('POST', path, { label, position })
  return body.id
}
const list = async () => (await ann.session<HeaderAction[]>('GET', path)).body
const labels = async () => (await list()).map(({ label }) => label)
const order = (action_ids: unknown) => ann.session<HeaderAction[]>('PUT', `${path}/order`, { action_ids })

/** The actions as an open page has them, also after its document was made anew from the rows. */
async function shownActions(): Promise<HeaderAction[]> {
  const viewer = await watchChannel(service.url, channel_id, ann.api_key)
  const actions: HeaderAction[] = viewer.doc.getMap<HeaderAction[]>('channel').get('actions') ?? []
  viewer.leave()
  return actions
}

async function remake(): Promise<void> {
  await beginEpoch(service.sql, channel_id, { epoch: 0 }, service.history.current)
  await service.feeds.get(channel_id).refresh()
}

describe('the order', () => {
  test('is what is given; positions count from 0, in the list and on open pages', async () => {
    const [a, b, c] = [await add('a', 5), await add('b', 5), await add('c', -2)]
    const answer = await order([b, c, a])
    const expected = ['b', 'c', 'a'].map((label, position) => ({
      id: { a, b, c }[label],
      label,
      style: 'primary',
      position,
    }))
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toStrictEqual(expected)
    expect(await list()).toStrictEqual(expected)
    expect(await shownActions()).toStrictEqual(expected)
    await remake()
    expect(await shownActions()).toStrictEqual(expected)
  })

  test('reaches an open page live', async () => {
    const [a, b] = [await add('a', 1), await add('b', 2)]
    const viewer = await watchChannel(service.url, channel_id, ann.api_key)
    await order([b, a])
    const shown = () => viewer.doc.getMap<HeaderAction[]>('channel').get('actions') ?? []
    await viewer.until(
      () =>
        shown()
          .map(({ label }) => label)
          .join() === 'b,a',
    )
    viewer.leave()
  })

  test('may be given with ids in capitals, and of none where there are none', async () => {
    expect(await order([])).toMatchObject({ status: 200, body: [] })
    const [a, b] = [await add('a'), await add('b')]
    expect((await order([b.toUpperCase(), a])).status).toBe(200)
    expect(await labels()).toEqual(['b', 'a'])
  })

  test('names every action of the channel once, or is 400 and changes nothing', async () => {
    const [a, b] = [await add('a'), await add('b')]
    const elsewhere = await createChannel(ann)
    const { body: other } = await ann.key('POST', `/channels/${elsewhere}/actions`, { label: 'x' })
    const inexact = 'action_ids must name every action of the channel once'
    for (const given of [[], [a], [a, a], [b, a, a], [b, a, randomUUID()], [b, other.id], [b, a, other.id]])
      expect(await order(given), JSON.stringify(given)).toMatchObject(refusal(400, inexact))
    for (const [given, error] of [
      [undefined, 'action_ids is required'],
      [null, 'action_ids must be an array'],
      ['x', 'action_ids must be an array'],
      [[b, 1], 'action_ids[1] must be a string'],
      [['x', 'y'], inexact],
    ] as const)
      expect(await order(given)).toMatchObject(refusal(400, error))
    expect(await labels()).toEqual(['a', 'b'])
  })

  test('given many times at once is one of them, the same for everybody', async () => {
    const ids = [await add('a'), await add('b'), await add('c')]
    const orders = ids.map((_, i) => [...ids.slice(i), ...ids.slice(0, i)])
    const answers = await Promise.all([...orders, ...orders].map(order))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await shownActions()).toStrictEqual(await list())
    expect(orders.map(String)).toContain(String((await list()).map(({ id }) => id)))
  })
})

describe('changing one', () => {
  const change = (id: string, body: unknown) => ann.session('PATCH', `${path}/${id}`, body)

  test.each([
    { label: 'New' },
    { style: 'danger' },
    { position: 7 },
    { label: 'All', style: 'secondary', position: -1 },
    {},
  ])('with %j changes that and no more, in the list and on open pages', async body => {
    const id = await add('Old', 3)
    const before = { id, label: 'Old', style: 'primary', position: 3 }
    const answer = await change(id, { ...body, id: randomUUID(), channel_id: randomUUID() })
    expect(answer.status).toBe(200)
    expect(answer.body).toStrictEqual({ ...before, channel_id, ...body })
    expect(await list()).toStrictEqual([{ ...before, ...body }])
    expect(await shownActions()).toStrictEqual(await list())
  })

  test('in its position moves it: of one position what came to it last is the last', async () => {
    const first = await add('first', 5)
    await add('second', 1)
    await add('third', 2)
    await change(first, { position: 1 })
    expect(await labels()).toEqual(['second', 'first', 'third'])
    expect(await shownActions()).toStrictEqual(await list())
    await remake()
    expect(await shownActions()).toStrictEqual(await list())
  })

  test('to the position that it has leaves it where it stands', async () => {
    const first = await add('first', 1)
    await add('second', 1)
    await change(first, { position: 1, label: 'still first' })
    expect(await labels()).toEqual(['still first', 'second'])
    expect(await shownActions()).toStrictEqual(await list())
  })

  test.each([
    [{ label: '' }, 'label is required'],
    [{ label: null }, 'label must be a string'],
    [{ label: 'x'.repeat(81) }, 'label must be at most 80 characters'],
    [{ style: 'big' }, 'style must be one of primary, secondary, danger'],
    [{ style: null }, 'style must be one of primary, secondary, danger'],
    [{ position: 1.5 }, 'position must be an integer'],
    [{ position: null }, 'position must be an integer'],
    [{ position: 2 ** 31 }, 'position must be a 32-bit integer'],
  ])('with %j is 400: %s, and nothing changes', async (body, error) => {
    const id = await add('Old')
    expect(await change(id, { style: 'danger', label: 'New', ...body })).toMatchObject(refusal(400, error))
    expect(await list()).toMatchObject([{ label: 'Old', style: 'primary', position: 0 }])
  })
})

describe('bringing one back', () => {
  const put = (id: string, body: unknown) => ann.session('PUT', `${path}/${id}`, body)

  test('that was deleted gives it its id again, and twice is as once', async () => {
    const id = await add('Go', 4)
    await ann.session('DELETE', `${path}/${id}`)
    const body = { label: 'Go', style: 'danger', position: 4 }
    for (let time = 0; time < 2; time++)
      expect(await put(id, body)).toMatchObject({ status: 200, body: { id, channel_id, ...body } })
    expect(await list()).toStrictEqual([{ id, ...body }])
    expect(await shownActions()).toStrictEqual(await list())
  })

  test('takes what creating takes, and no more of them', async () => {
    expect(await put(randomUUID(), {})).toMatchObject(refusal(400, 'label is required'))
    const ids = await Promise.all(Array.from({ length: 100 }, (_, i) => add(`${i}`)))
    expect(await put(randomUUID(), { label: 'x' })).toMatchObject(
      refusal(400, 'A channel has at most 100 actions'),
    )
    expect((await put(ids[0] ?? '', { label: 'x' })).status).toBe(200)
  })
})

describe.each([
  ['PUT', 'order', { action_ids: [] }],
  ['PATCH', ':action', { label: 'x' }],
  ['PUT', ':action', { label: 'x' }],
] as const)('%s …/actions/%s', (method, route, body) => {
  const at = async (base = path) => `${base}/${route.replace(':action', await add('Go'))}`

  test('is the owner’s: 401 without a session, 403 for another, 404 where the channel is none', async () => {
    const anyone = caller(`${service.url}/api`)
    const own = await at()
    expect(await anyone(method, own, body)).toMatchObject(refusal(401, 'Unauthorized'))
    expect(await anyone(method, own, body, { Authorization: `Bearer ${ann.api_key}` })).toMatchObject(
      refusal(401, 'Unauthorized'),
    )
    expect(await bob.session(method, own, 1)).toMatchObject(refusal(403, 'Access denied'))
    for (const id of ['x', randomUUID()])
      expect(await ann.session(method, await at(`/channels/${id}/actions`), 1)).toMatchObject(
        refusal(404, 'Channel not found'),
      )
    expect(await labels()).not.toContain('x')
  })

  test('is not offered to automations', async () => {
    expect(await ann.key(method, await at(), body)).toMatchObject(refusal(404, 'Not found'))
  })

  test('takes no other body than a JSON object', async () => {
    expect(await ann.session(method, await at(), [])).toMatchObject({ status: 400 })
  })
})

test('an action that is none, or of another channel, is 404 before its fields are looked at', async () => {
  const elsewhere = await createChannel(ann)
  const { body: other } = await ann.key('POST', `/channels/${elsewhere}/actions`, { label: 'x' })
  const missing = refusal(404, 'Action not found')
  for (const id of ['x', randomUUID(), other.id])
    expect(await ann.session('PATCH', `${path}/${id}`, { label: 'y' })).toMatchObject(missing)
  expect(await ann.session('PATCH', `${path}/x`, 1)).toMatchObject(missing)
  expect(await ann.session('PUT', `${path}/x`, { label: 'y' })).toMatchObject(missing)
})
