// PATCH of a channel: fields, errors, responses, and that open pages on every instance see it.
import { beforeEach, describe, expect, test } from 'vitest'
import { accountAt, createAccount } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { invalid, wrong } from '../support/errors.ts'
import { actionsOf, watchChannel } from '../support/pass.ts'
import { runInstance, runService } from '../support/running.ts'
import { times } from '../support/times.ts'

let channel_id: string
let path: string

const service = await runService()
const other = await runInstance(service)
const ann = await createAccount(service)
beforeEach(async () => {
  channel_id = await createChannel(ann)
  path = `/channels/${channel_id}`
})

const URL_RULE = 'must be a valid HTTP or HTTPS URL'
const patch = (body: unknown) => ann.key('PATCH', path, body)
const get = async () => (await ann.key('GET', path)).body

describe('PATCH of a channel', () => {
  test.each([
    { name: ' New \n' },
    { name: '😀'.repeat(80) },
    { description: '😀'.repeat(300) },
    { description: ' ' },
    { description: '' },
    { description: null },
    { mode: 'interactive' },
    { icon: '🏳️‍🌈' },
    { icon: '👍🏽' },
    { icon: '🇩🇪' },
    { icon: '1️⃣' },
    { icon: '❤️' },
    { webhook_url: 'HTTP://localhost:1/hook?x=1' },
    { webhook_url: null },
    { name: 'All', description: 'D', mode: 'interactive', icon: '🚀', webhook_url: 'https://example.com' },
  ])('PATCH %j changes only that and returns the full channel', async body => {
    await patch({ description: 'Before', webhook_url: 'https://before.example' })
    const before = await get()
    const response = await patch({ ...body, id: 'x', workspace_id: 'x', visibility: 'public', actions: [1] })
    const expected = body.name === undefined ? body : { ...body, name: body.name.trim() }
    expect(response.status).toBe(200)
    expect(response.body).toStrictEqual({ ...before, ...expected, updated_at: response.body.updated_at })
    expect(await get()).toStrictEqual(response.body)
    expect(String(response.body.updated_at) >= String(before.updated_at)).toBe(true)
  })

  test('an empty PATCH changes nothing', async () => {
    const before = await get()
    expect(await patch({})).toMatchObject({ status: 200, body: before })
    expect(await patch({ unknown: 1 })).toMatchObject({ status: 200, body: before })
  })

  test.each<[object, string]>([
    ...wrong('name', 'is required', '', ' \t'),
    ...wrong('name', 'must be a string', null),
    ...wrong('name', 'must be at most 80 characters', '😀'.repeat(81)),
    ...wrong('description', 'must be at most 300 characters', 'x'.repeat(301)),
    ...wrong('description', 'must be a string', 1),
    ...wrong('mode', 'must be one of view, interactive', 'edit', null),
    ...wrong('icon', 'must be a single emoji', '', 'x', '1', '🇩', '😀😀', ' 😀'),
    ...wrong('icon', 'must be a string', null),
    ...wrong('webhook_url', URL_RULE, '', 'example.com', 'javascript:alert(1)', 'http://'),
    ...wrong('webhook_url', 'must be at most 2048 characters', `http://${'x'.repeat(2048)}`),
    [[], 'The request body must be a JSON object'],
  ])('PATCH %j returns 400: %s, and changes nothing', async (body, error) => {
    const before = await get()
    const given = Array.isArray(body) ? body : { name: 'Other', description: 'Other', ...body }
    expect(await patch(given)).toMatchObject(invalid(error))
    expect(await get()).toStrictEqual(before)
  })

  test('parallel requests with different fields lose nothing', async () => {
    const responses = await Promise.all([
      patch({ name: 'A' }),
      ann.session('PATCH', path, { description: 'B' }),
      patch({ mode: 'interactive' }),
      patch({ icon: '🚀' }),
      patch({ webhook_url: 'https://example.com' }),
    ])
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await get()).toMatchObject({
      name: 'A',
      description: 'B',
      mode: 'interactive',
      icon: '🚀',
      webhook_url: 'https://example.com',
    })
  })
})

test.each(['private', 'protected', 'public'])(
  'a channel has the visibility of its workspace: %s',
  async visibility => {
    await patchWorkspace(ann, { visibility, password: 'open sesame' })
    expect(await get()).toMatchObject({ visibility })
    expect((await patch({ name: 'N' })).body).toMatchObject({ visibility })
  },
)

describe.each([
  ['the same', () => service],
  ['another', () => other],
])('an open page on %s instance', (_, instance) => {
  test('an open page receives changes of name, description, icon and mode, but never the webhook_url', async () => {
    const viewer = await watchChannel(instance().url, channel_id, ann.api_key)
    const head = viewer.doc.getMap('channel')
    const changes = [
      { name: 'New', webhook_url: 'https://secret.example/hook' },
      { description: 'D' },
      { icon: '🚀' },
      { mode: 'interactive' },
      { description: null },
      { name: 'Newer', description: 'E', icon: '🎉', mode: 'view' },
    ]
    for (const { webhook_url, ...change } of changes) {
      await patch({ webhook_url, ...change })
      await viewer.until(() => Object.entries(change).every(([field, value]) => head.get(field) === value))
    }
    expect(head.toJSON()).toMatchObject({ name: 'Newer', description: 'E', icon: '🎉', mode: 'view' })
    expect(JSON.stringify(viewer.doc.toJSON())).not.toContain('secret.example')
  })
})

test('header actions created and deleted on two instances all reach rows and document', async () => {
  const elsewhere = accountAt(other, ann)
  const viewer = await watchChannel(other.url, channel_id, ann.api_key)
  const actions = `${path}/actions`
  await times(11, i => (i % 2 ? ann : elsewhere).key('POST', actions, { label: `${i}`, position: 1 }))
  await viewer.until(doc => actionsOf(doc).length === 11)
  await ann.session('DELETE', `${actions}/${actionsOf(viewer.doc)[0]?.id}`)
  const { body } = await ann.key<unknown[]>('GET', actions)
  expect(body).toHaveLength(10)
  await viewer.until(doc => actionsOf(doc).length === 10)
  expect(actionsOf(viewer.doc)).toStrictEqual(body)
})
