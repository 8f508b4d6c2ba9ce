// Creating, listing, reading and deleting channels.
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { UUID_V4 } from '../support/blocks.ts'
import { ISO, pushCard } from '../support/cards.ts'
import { notFound } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()

type Created = { id: string; name: string; url: string; workspace_id: string }
const create = (fields: object = {}) =>
  ann.key<Created>('POST', '/channels', { name: 'C', workspace_id: ann.workspace_id, ...fields })

describe('creating a channel', () => {
  test('creating a channel returns 201 with only id, name, url and workspace_id', async () => {
    const { status, body } = await create({ name: '  Deploys \n' })
    expect(status).toBe(201)
    expect(body).toStrictEqual({
      id: expect.stringMatching(UUID_V4),
      name: 'Deploys',
      url: `/c/${body.id}`,
      workspace_id: ann.workspace_id,
    })
  })

  test('creating a channel fills in the defaults', async () => {
    const { body } = await create({ unknown: 1 })
    const channel = await ann.key('GET', `/channels/${body.id}`)
    expect(channel.status).toBe(200)
    expect(channel.body).toStrictEqual({
      id: body.id,
      name: 'C',
      description: null,
      mode: 'view',
      icon: '📡',
      webhook_url: null,
      workspace_id: ann.workspace_id,
      visibility: 'private',
      receipts: 'auto',
      created_at: expect.stringMatching(ISO),
      updated_at: channel.body.created_at,
      actions: [],
    })
  })

  test('creating a channel keeps every field', async () => {
    const fields = {
      name: '😀'.repeat(80),
      description: '😀'.repeat(300),
      mode: 'interactive',
      icon: '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
      webhook_url: 'https://example.com/hook?a=b',
    }
    const { body } = await create(fields)
    expect((await ann.key('GET', `/channels/${body.id}`)).body).toMatchObject(fields)
    expect((await ann.session('GET', `/channels/${body.id}`)).body).toMatchObject(fields)
  })

  test('creating a channel accepts a workspace id in upper case', async () => {
    const { body } = await create({ workspace_id: ann.workspace_id.toUpperCase() })
    expect(body).toMatchObject({ workspace_id: ann.workspace_id })
  })
})

test('the list has the specified fields and card counts, oldest first', async () => {
  const bob = await createAccount(service)
  const { workspace_id } = bob
  const ids: string[] = []
  for (const name of ['one', 'two']) {
    const { body } = await bob.key<Created>('POST', '/channels', {
      name,
      workspace_id,
      webhook_url: 'http://a.b',
    })
    ids.push(body.id)
  }
  const cards = `/channels/${ids[1]}/cards`
  const path = await pushCard(bob.key, cards)
  await pushCard(bob.key, cards)
  await pushCard(bob.key, cards)
  await bob.key('DELETE', path)
  const list = await bob.key<object[]>('GET', `/channels?workspace_id=${workspace_id}`)
  expect(list.status).toBe(200)
  const channel = {
    description: null,
    mode: 'view',
    icon: '📡',
    workspace_id,
    created_at: expect.stringMatching(ISO),
  }
  expect(list.body).toStrictEqual([
    { id: ids[0], name: 'one', card_count: 0, ...channel },
    { id: ids[1], name: 'two', card_count: 2, ...channel },
  ])
  const dashboard = await bob.session('GET', `/channels?workspace_id=${workspace_id.toUpperCase()}`)
  const summary = { waiting: 0, needs_you: 0, webhook: { failed: 0, of: 0 } }
  expect(dashboard.body).toStrictEqual([
    { ...list.body[0], ...summary, last_card: null },
    { ...list.body[1], ...summary, last_card: expect.objectContaining({ text: 'Hello' }) },
  ])
})

test('deleting returns {deleted: true}; then all of its routes return 404', async () => {
  const { body } = await create()
  const channel = `/channels/${body.id}`
  const card = await pushCard(ann.key, `${channel}/cards`)
  expect(await ann.key('DELETE', channel)).toMatchObject({ status: 200, body: { deleted: true } })
  for (const path of [channel, `${channel}/cards`, card])
    expect(await ann.key('GET', path)).toMatchObject(notFound('Channel'))
  expect((await ann.key('POST', `${channel}/cards`, {})).status).toBe(404)
  expect((await ann.key('DELETE', channel)).status).toBe(404)
})
