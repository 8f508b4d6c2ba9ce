// Header action routes of the dashboard only: change, order and restore.
import { describe, expect, test } from 'vitest'
import type { HeaderAction } from '../../shared/header-action.ts'
import { runActionScene } from '../support/action-scene.ts'
import { createChannel } from '../support/channels.ts'
import { invalid, notFound, wrong } from '../support/errors.ts'
import { actionsOf, watchChannel } from '../support/pass.ts'
import { times } from '../support/times.ts'

const scene = await runActionScene()
const { service, ann, add, list, labels, shown, rebuild } = scene

const order = (action_ids: unknown) =>
  ann.session<HeaderAction[]>('PUT', `${scene.path}/order`, { action_ids })

describe('the order of actions', () => {
  test('the order of actions equals the request, with positions from 0, in the list and on open pages', async () => {
    const [a, b, c] = [await add('a', 5), await add('b', 5), await add('c', -2)]
    const response = await order([b, c, a])
    const expected = ['b', 'c', 'a'].map((label, position) => ({
      id: { a, b, c }[label],
      label,
      style: 'primary',
      position,
    }))
    expect(response).toMatchObject({ status: 200 })
    expect(response.body).toStrictEqual(expected)
    expect(await list()).toStrictEqual(expected)
    expect(await shown()).toStrictEqual(expected)
    await rebuild()
    expect(await shown()).toStrictEqual(expected)
  })

  test('the order of actions reaches an open page at once', async () => {
    const [a, b] = [await add('a', 1), await add('b', 2)]
    const viewer = await watchChannel(service.url, scene.channel_id, ann.api_key)
    await order([b, a])
    await viewer.until(doc => String(actionsOf(doc).map(({ id }) => id)) === String([b, a]))
  })

  test('the order of actions accepts ids in upper case, and an empty list if there are no actions', async () => {
    expect(await order([])).toMatchObject({ status: 200, body: [] })
    const [a, b] = [await add('a'), await add('b')]
    expect((await order([b.toUpperCase(), a])).status).toBe(200)
    expect(await labels()).toEqual(['b', 'a'])
  })

  test('the order of actions must name every action once; otherwise 400 and no change', async () => {
    const [a, b] = [await add('a'), await add('b')]
    const elsewhere = await createChannel(ann)
    const { body: other } = await ann.key('POST', `/channels/${elsewhere}/actions`, { label: 'x' })
    const inexact = 'action_ids must name every action of the channel once'
    for (const given of [
      [],
      [a],
      [a, a],
      [b, a, a],
      [b, a, crypto.randomUUID()],
      [b, other.id],
      [b, a, other.id],
    ])
      expect(await order(given), JSON.stringify(given)).toMatchObject(invalid(inexact))
    for (const [given, error] of [
      [undefined, 'action_ids is required'],
      [null, 'action_ids must be an array'],
      ['x', 'action_ids must be an array'],
      [[b, 1], 'action_ids[1] must be a string'],
      [['x', 'y'], inexact],
    ] as const)
      expect(await order(given)).toMatchObject(invalid(error))
    expect(await labels()).toEqual(['a', 'b'])
  })

  test('the order of actions is the same everywhere after parallel requests', async () => {
    const ids = [await add('a'), await add('b'), await add('c')]
    const orders = ids.map((_, i) => [...ids.slice(i), ...ids.slice(0, i)])
    const responses = await Promise.all([...orders, ...orders].map(order))
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await shown()).toStrictEqual(await list())
    expect(orders.map(String)).toContain(String((await list()).map(({ id }) => id)))
  })
})

describe('changing an action', () => {
  const change = (id: string, body: unknown) => ann.session('PATCH', `${scene.path}/${id}`, body)

  test.each([
    { label: 'New' },
    { style: 'danger' },
    { position: 7 },
    { label: 'All', style: 'secondary', position: -1 },
    {},
  ])('PATCH %j changes only that, in the list and on open pages', async body => {
    const id = await add('Old', 3)
    const before = { id, label: 'Old', style: 'primary', position: 3 }
    const response = await change(id, { ...body, id: crypto.randomUUID(), channel_id: crypto.randomUUID() })
    expect(response.status).toBe(200)
    expect(response.body).toStrictEqual({ ...before, channel_id: scene.channel_id, ...body })
    expect(await list()).toStrictEqual([{ ...before, ...body }])
    expect(await shown()).toStrictEqual(await list())
  })

  test('a new position moves an action after those that already have that position', async () => {
    const first = await add('first', 5)
    await add('second', 1)
    await add('third', 2)
    await change(first, { position: 1 })
    expect(await labels()).toEqual(['second', 'first', 'third'])
    expect(await shown()).toStrictEqual(await list())
    await rebuild()
    expect(await shown()).toStrictEqual(await list())
  })

  test("its current position doesn't move an action", async () => {
    const first = await add('first', 1)
    await add('second', 1)
    await change(first, { position: 1, label: 'still first' })
    expect(await labels()).toEqual(['still first', 'second'])
    expect(await shown()).toStrictEqual(await list())
  })

  test.each([
    ...wrong('label', 'is required', ''),
    ...wrong('label', 'must be a string', null),
    ...wrong('label', 'must be at most 80 characters', 'x'.repeat(81)),
    ...wrong('style', 'must be one of primary, secondary, danger', 'big', null),
    ...wrong('position', 'must be an integer', 1.5, null),
    ...wrong('position', 'must be a 32-bit integer', 2 ** 31),
  ])('PATCH %j returns 400: %s, and changes nothing', async (body, error) => {
    const id = await add('Old')
    expect(await change(id, { style: 'danger', label: 'New', ...body })).toMatchObject(invalid(error))
    expect(await list()).toMatchObject([{ label: 'Old', style: 'primary', position: 0 }])
  })
})

describe('restoring an action', () => {
  const put = (id: string, body: unknown) => ann.session('PUT', `${scene.path}/${id}`, body)

  test('a deleted action gets its id again; a second request changes nothing', async () => {
    const id = await add('Go', 4)
    await ann.session('DELETE', `${scene.path}/${id}`)
    const body = { label: 'Go', style: 'danger', position: 4 }
    for (let time = 0; time < 2; time++)
      expect(await put(id, body)).toMatchObject({
        status: 200,
        body: { id, channel_id: scene.channel_id, ...body },
      })
    expect(await list()).toStrictEqual([{ id, ...body }])
    expect(await shown()).toStrictEqual(await list())
  })

  test('restoring an action follows the rules and the limit of creating', async () => {
    expect(await put(crypto.randomUUID(), {})).toMatchObject(invalid('label is required'))
    const ids = await times(100, i => add(`${i}`))
    expect(await put(crypto.randomUUID(), { label: 'x' })).toMatchObject(
      invalid('A channel has at most 100 actions'),
    )
    expect((await put(ids[0] ?? '', { label: 'x' })).status).toBe(200)
  })
})

test.each([
  ['PUT', 'order'],
  ['PATCH', ':action'],
  ['PUT', ':action'],
])('%s …/actions/%s accepts only a JSON object', async (method, route) => {
  const action = `${scene.path}/${route.replace(':action', await add('Go'))}`
  expect(await ann.session(method, action, [])).toMatchObject(
    invalid('The request body must be a JSON object'),
  )
})

test('an unknown action, or one of another channel, returns 404 before its fields are checked', async () => {
  const elsewhere = await createChannel(ann)
  const { body: other } = await ann.key('POST', `/channels/${elsewhere}/actions`, { label: 'x' })
  const missing = notFound('Action')
  for (const id of ['x', crypto.randomUUID(), other.id])
    expect(await ann.session('PATCH', `${scene.path}/${id}`, { label: 'y' })).toMatchObject(missing)
  expect(await ann.session('PATCH', `${scene.path}/x`, 1)).toMatchObject(missing)
  expect(await ann.session('PUT', `${scene.path}/x`, { label: 'y' })).toMatchObject(missing)
})
