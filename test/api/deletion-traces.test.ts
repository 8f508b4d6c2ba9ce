// A deleted card, channel or workspace leaves no text and no row anywhere in the database.
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteRowsOfDeletedDocuments } from '../../server/feed/log/deleted-documents.ts'
import { createTestWorkspace } from '../support/account.ts'
import { countRows, createTestChannel, pushCard, textCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { listenTo } from '../support/event-stream.ts'
import { insertInteraction } from '../support/interactions.ts'
import { watchChannel } from '../support/pass.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

/** The text to delete; each test has its own. */
let secret: string

const { service, ann } = await runWithOwner({ WORKSPACE_LIMIT: '0' })
beforeEach(() => {
  secret = `secret ${crypto.randomUUID()}`
})

/** The tables with the secret in any row, of text, JSON or bytes. */
async function traces(): Promise<string[]> {
  const { sql } = service
  const columns = await sql<{ table_name: string; column_name: string; data_type: string }[]>`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'json', 'jsonb', 'bytea')`
  const found = new Set<string>()
  for (const { table_name, column_name, data_type } of columns) {
    const rows =
      data_type === 'bytea'
        ? await sql`
            select from ${sql(table_name)}
            where position(convert_to(${secret}, 'UTF8') in ${sql(column_name)}) > 0 limit 1`
        : await sql`
            select from ${sql(table_name)} where position(${secret} in ${sql(column_name)}::text) > 0 limit 1`
    if (rows.length > 0) found.add(table_name)
  }
  return [...found].sort()
}

/** The rows are those from before. Usage still counts what was deleted. */
async function expectRows(before: Record<string, number>): Promise<void> {
  const { daily_usage: _, daily_activity: _a, ...after } = await countRows(service.sql)
  expect(before).toMatchObject(after)
}

/** Writes until a snapshot contains everything written before. */
async function writeSnapshot(channel_id: string): Promise<void> {
  const { sql } = service
  const [before] = await sql<{ seq: number }[]>`select seq from documents where channel_id = ${channel_id}`
  const path = await pushCard(ann.key, `/channels/${channel_id}/cards`)
  await until(async () => {
    const content = crypto.randomUUID().repeat(200)
    await ann.key('PATCH', path, { blocks: [{ id: 'text', patch: { content } }] })
    const rows = await sql`
      select from document_snapshots where channel_id = ${channel_id} and seq > ${before?.seq ?? 0}`
    return rows.length > 0
  }, 'a snapshot')
}

/** As if everything in the log were older than ten minutes. */
const age = (channel_id: string) => service.sql`
  update document_updates set created_at = created_at - interval '10 minutes 1 second'
  where channel_id = ${channel_id}`

/** Writes a snapshot. The log is pruned right after it. */
async function expectPruned(channel_id: string): Promise<void> {
  await writeSnapshot(channel_id)
  await until(async () => (await traces()).length === 0, 'the log to let go of it')
}

const repeated = (body: object) => ({ body, headers: expect.toSatisfy(isReplay) })
const isReplay = (headers: Headers) => headers.get('Idempotent-Replayed') === 'true'

describe('a deleted card', () => {
  test('a deleted card disappears at once from rows, responses and open pages; its interactions keep their row', async () => {
    const channel_id = await createChannel(ann)
    const cards = `/channels/${channel_id}/cards`
    const path = await pushCard(ann.key, cards, textCard(secret))
    const kept = await pushCard(ann.key, cards)
    const card_id = path.split('/').at(-1) ?? ''
    const reply = { type: 'button_click', button_id: 'b', label: 'B' }
    const interaction = await insertInteraction(service.sql, channel_id, reply, {
      card_id,
      card_state: [{ id: 'text', type: 'text', content: 'as it was' }],
    })
    const viewer = await watchChannel(service.url, channel_id, ann.api_key)
    const shown = () => JSON.stringify(viewer.doc.getMap('pages').toJSON())
    await viewer.until(() => shown().includes(secret))
    await ann.key('DELETE', path)
    await viewer.until(() => !shown().includes(secret))
    expect(await traces()).toEqual(['document_updates'])
    for (const read of [cards, `/channels/${channel_id}`, kept])
      expect(JSON.stringify((await ann.key('GET', read)).body)).not.toContain(secret)
    const list = await ann.key('GET', `/channels/${channel_id}/interactions`)
    expect(list.body.interactions).toStrictEqual([{ ...interaction, card_id: null }])
  })

  test('a deleted card is in no snapshot; the first snapshot after ten minutes removes it from the log', async () => {
    const channel_id = await createChannel(ann)
    const cards = `/channels/${channel_id}/cards`
    const stream = await listenTo(service.url, ann.api_key, channel_id) // the log keeps events, too
    const path = await pushCard(ann.key, cards, textCard(secret))
    await ann.key('PATCH', path, { blocks: [{ id: 'text', patch: { content: `${secret}, changed` } }] })
    await ann.key('DELETE', path)
    stream.leave()
    await writeSnapshot(channel_id)
    expect(await traces()).toEqual(['document_updates'])
    await age(channel_id)
    await expectPruned(channel_id)
  })

  test('a deleted card disappears without further writes, together with its stored responses', async () => {
    const channel_id = await createChannel(ann)
    const path = await pushCard(ann.key, `/channels/${channel_id}/cards`, textCard('before'))
    const patch = { blocks: [{ id: 'text', patch: { content: secret } }] }
    await ann.key('PATCH', path, patch, { 'Idempotency-Key': crypto.randomUUID() })
    expect(await traces()).toContain('idempotency_keys')
    await ann.key('DELETE', path)
    expect(await traces()).toEqual(['document_updates'])
    await age(channel_id)
    await service.sql`update documents set prune_at = now() - interval '1 second' where prune_at is not null`
    await until(async () => {
      await service.feeds.prune()
      return (await traces()).length === 0
    }, 'the log to let go of it')
    const [left] = await service.sql`select prune_at from documents where channel_id = ${channel_id}`
    expect(left).toEqual({ prune_at: null })
  })

  test.each([
    'deploy:42',
    'deploy%3A42',
    't%C3%A4st',
    'a%2Fb',
    'a b',
    '100%25',
    '%2541',
    'ABC',
    '%F0%9F%9A%80',
  ])('no repeated request takes effect after the deletion of a card with the key %s', async key => {
    const channel_id = await createChannel(ann)
    const path = `/channels/${channel_id}/cards/by-key/${key}`
    const [put, patch] = [{ 'Idempotency-Key': 'put' }, { 'Idempotency-Key': 'patch' }]
    const made = await ann.key('PUT', path, textCard(secret), put)
    expect(made.status).toBe(201)
    expect((await ann.key('PATCH', path, { status: 'error' }, patch)).status).toBe(200)
    expect(await ann.key('PUT', path, textCard(secret), put)).toMatchObject(repeated(made.body))
    expect(await traces()).toContain('idempotency_keys')
    expect((await ann.key('DELETE', path)).status).toBe(204)
    expect(await traces()).toEqual(['document_updates'])
    expect(await ann.key('PUT', path, textCard(secret), put)).toMatchObject(repeated(made.body))
    const another = await ann.key('PUT', path, textCard('another'))
    expect(another.status).toBe(201)
    expect(another.body.id).not.toBe(made.body.id)
    const late = await ann.key('PATCH', path, { status: 'error' }, patch)
    expect(late).toMatchObject({ status: 404, ...repeated({ error: 'Card not found' }) })
    expect((await ann.key('GET', path)).body.status).toBe('default')
  })

  test('P2: a repeated replacement by key does not bring a deleted card back', async () => {
    const channel_id = await createChannel(ann)
    const path = `/channels/${channel_id}/cards/by-key/k`
    const once = { 'Idempotency-Key': 'replace' }
    await ann.key('PUT', path, textCard('first'))
    expect((await ann.key('PUT', path, textCard(secret), once)).status).toBe(200)
    await ann.key('DELETE', path)
    expect(await traces()).toEqual(['document_updates'])
    const again = await ann.key('PUT', path, textCard(secret), once)
    expect(again).toMatchObject({ status: 404, ...repeated({ error: 'Card not found' }) })
    expect((await ann.key('GET', path)).status).toBe(404)
  })

  test('a deleted card leaves no stored response, even if its id was sent in upper case', async () => {
    const channel_id = await createChannel(ann)
    const path = await pushCard(ann.key, `/channels/${channel_id}/cards`, textCard('before'))
    const once = { 'Idempotency-Key': 'once' }
    const patch = { blocks: [{ id: 'text', patch: { content: secret } }] }
    const id = path.split('/').at(-1) ?? ''
    const loud = `/channels/${channel_id.toUpperCase()}/cards/${id.toUpperCase()}`
    const { body } = await ann.key('PATCH', loud, patch, once)
    expect(await ann.key('PATCH', path, patch, once)).toMatchObject(repeated(body))
    await ann.key('DELETE', path)
    expect(await traces()).toEqual(['document_updates'])
  })

  test('a deleted card leaves nothing behind in an archived page', async () => {
    const channel_id = await createChannel(ann)
    const cards = `/channels/${channel_id}/cards`
    const path = await pushCard(ann.key, cards, textCard(secret))
    await times(5 * 64, () => pushCard(ann.key, cards))
    await ann.key('PATCH', path, { status: 'error' })
    await ann.key('DELETE', path)
    await age(channel_id)
    await expectPruned(channel_id)
  })
})

describe('deletion of text in every possible place', () => {
  /** Makes a channel with the text everywhere and rows in every table. */
  async function fill(workspace_id: string): Promise<string> {
    const channel_id = await createChannel(
      { key: ann.key, workspace_id },
      { name: secret, description: secret, attributes: { key: secret }, webhook_url: 'http://127.0.0.1:9/' },
    )
    const channel = `/channels/${channel_id}`
    const path = await pushCard(ann.key, `${channel}/cards`, textCard(secret))
    await ann.key('POST', `${channel}/actions`, { label: secret })
    const patch = { blocks: [{ id: 'text', patch: { content: `${secret}!` } }] }
    await ann.key('PATCH', path, patch, { 'Idempotency-Key': 'once' })
    await insertInteraction(service.sql, channel_id, { type: 'reply', text: secret })
    await writeSnapshot(channel_id)
    await service.sql`
      insert into page_versions (channel_id, page, version) values (${channel_id}, 0, 1) on conflict do nothing`
    return channel_id
  }

  test('a deleted channel leaves no row and no text', async () => {
    const before = await countRows(service.sql)
    const channel_id = await fill(ann.workspace_id)
    expect(await traces()).toEqual([
      'cards',
      'channel_attributes',
      'channels',
      'document_snapshots',
      'document_updates',
      'header_actions',
      'idempotency_keys',
      'interactions',
    ])
    await ann.key('DELETE', `/channels/${channel_id}`)
    await deleteRowsOfDeletedDocuments(service.sql)
    expect(await traces()).toEqual([])
    await expectRows(before)
  })

  test('a deleted workspace leaves no row and no text', async () => {
    const before = await countRows(service.sql)
    const workspace_id = await createTestWorkspace(ann.session, secret)
    await patchWorkspace({ ...ann, workspace_id }, { password: 'open sesame', custom_slug: 'doomed' })
    await ann.session('PUT', `/workspaces/${workspace_id}/attribute-settings`, { key: secret })
    await ann.session('POST', '/api-keys', { name: secret, workspace_id })
    const channel_id = await fill(workspace_id)
    await times(5 * 64, () => pushCard(ann.key, `/channels/${channel_id}/cards`))
    await createChannel({ key: ann.key, workspace_id })
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
    await deleteRowsOfDeletedDocuments(service.sql)
    expect(await traces()).toEqual([])
    await expectRows(before)
  })
})

test('deleting a channel during writes leaves none of its rows', async () => {
  const before = await countRows(service.sql)
  const cards = await createTestChannel(ann)
  const writes = Array.from({ length: 50 }, (_, i) => ann.key('PUT', `${cards}/by-key/${i % 7}`, textCard()))
  const deletion = ann.key('DELETE', cards.replace('/cards', ''))
  const late = Array.from({ length: 50 }, () => ann.key('POST', cards, textCard()))
  expect((await deletion).status).toBe(200)
  const statuses = new Set((await Promise.all([...writes, ...late])).map(({ status }) => status))
  expect([...statuses].filter(status => ![200, 201, 404].includes(status))).toEqual([])
  await deleteRowsOfDeletedDocuments(service.sql)
  await expectRows(before)
})

test('deleting a channel keeps the rows of others', async () => {
  const kept = await createTestChannel(ann)
  await pushCard(ann.key, kept)
  const other = await createTestChannel(ann)
  await pushCard(ann.key, other)
  await ann.key('DELETE', other.replace('/cards', ''))
  expect((await ann.key<{ cards: unknown[] }>('GET', kept)).body.cards).toHaveLength(1)
})
