// Header actions: created by automations and in the dashboard, deleted only in the dashboard.
import { describe, expect, test } from 'vitest'
import { runActionScene } from '../support/action-scene.ts'
import { UUID_V4 } from '../support/blocks.ts'
import { createChannel } from '../support/channels.ts'
import { invalid, notFound, wrong } from '../support/errors.ts'
import { times } from '../support/times.ts'

const scene = await runActionScene()
const { ann, create, list, labels, shown, rebuild } = scene

describe('creating an action', () => {
  test('creating an action returns 201 with id, channel_id, label, style and position', async () => {
    const { status, body } = await create({ label: 'Deploy', style: 'danger', position: -3, extra: 1 })
    expect(status).toBe(201)
    expect(body).toStrictEqual({
      id: expect.stringMatching(UUID_V4),
      channel_id: scene.channel_id,
      label: 'Deploy',
      style: 'danger',
      position: -3,
    })
  })

  test('creating an action defaults to primary and position 0', async () => {
    expect((await create({ label: 'Go' })).body).toMatchObject({ style: 'primary', position: 0 })
  })

  test.each([
    ...wrong('label', 'is required', undefined, ''),
    ...wrong('label', 'must be a string', null, 1),
    ...wrong('label', 'must be at most 80 characters', 'x'.repeat(81)),
    ...wrong('style', 'must be one of primary, secondary, danger', 'big', null),
    ...wrong('position', 'must be an integer', 1.5, '1', null),
    ...wrong('position', 'must be a 32-bit integer', 2 ** 31, -(2 ** 31) - 1),
  ])('an action with %j returns 400: %s', async (body, error) => {
    expect(await create({ label: 'Go', ...body })).toMatchObject(invalid(error))
    expect(await list()).toEqual([])
  })

  test('creating an action accepts the lowest and the highest position', async () => {
    for (const position of [2 ** 31 - 1, -(2 ** 31)])
      expect((await create({ label: 'Go', position })).body.position).toBe(position)
  })

  test('the 101st action returns 400', async () => {
    const responses = await times(101, i => create({ label: `${i}` }))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(responses.find(({ status }) => status !== 201)).toMatchObject(
      invalid('A channel has at most 100 actions'),
    )
    expect(await list()).toHaveLength(100)
    expect(await shown()).toStrictEqual(await list())
  })
})

describe('the list of actions', () => {
  test('the list of actions has id, label, style and position; GET of the channel has the same', async () => {
    const { body } = await create({ label: 'Go' })
    const { channel_id: _, ...action } = body
    expect(await list()).toStrictEqual([action])
    expect((await ann.key('GET', `/channels/${scene.channel_id}`)).body.actions).toStrictEqual([action])
    expect((await ann.session('GET', scene.path)).body).toStrictEqual([action])
  })

  test('the list of actions is ordered by position, then by creation', async () => {
    for (const [label, position] of [
      ['c', 1],
      ['a', -1],
      ['d', 1],
      ['b', 0],
      ['e', 1],
    ] as const)
      await create({ label, position })
    expect(await labels()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect((await shown()).map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('the list of actions has all actions created in parallel, in the order of the document, even after the document is rebuilt', async () => {
    const made = await times(30, i => create({ label: `${i}` }))
    expect(made.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const listed = await list()
    expect(listed.map(({ id }) => id).sort()).toEqual(made.map(({ body }) => body.id).sort())
    expect(await shown()).toStrictEqual(listed)
    await rebuild()
    expect(await shown()).toStrictEqual(listed)
  })
})

describe('deleting an action', () => {
  test('deleting an action returns 204 and removes it from the list and open pages', async () => {
    const { body } = await create({ label: 'Go' })
    await create({ label: 'Stay' })
    expect(await ann.session('DELETE', `${scene.path}/${body.id}`)).toMatchObject({ status: 204, body: null })
    expect(await labels()).toEqual(['Stay'])
    expect((await shown()).map(({ label }) => label)).toEqual(['Stay'])
  })

  test('an unknown action returns 404', async () => {
    for (const id of ['x', crypto.randomUUID()])
      expect(await ann.session('DELETE', `${scene.path}/${id}`)).toMatchObject(notFound('Action'))
    const { body } = await create({ label: 'Go' })
    const elsewhere = `/channels/${await createChannel(ann)}/actions/${body.id}`
    expect(await ann.session('DELETE', elsewhere)).toMatchObject(notFound('Action'))
    expect(await ann.session('DELETE', `/channels/${crypto.randomUUID()}/actions/${body.id}`)).toMatchObject(
      notFound('Channel'),
    )
  })

  test('deleting an action in parallel succeeds once', async () => {
    const { body } = await create({ label: 'Go' })
    const responses = await times(5, () => ann.session('DELETE', `${scene.path}/${body.id}`))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
  })
})
