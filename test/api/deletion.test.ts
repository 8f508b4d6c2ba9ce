// Deleting a channel or a workspace leaves no row of it in any table.
import { expect, test } from 'vitest'
import { createTestWorkspace } from '../support/account.ts'
import { countChannelRows, createTestCards, pushCard, textCard } from '../support/cards.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'

const { service, ann } = await runWithOwner()

/** Makes a channel with rows in every table that needs no viewer. Returns the path of its cards. */
async function fill(workspace_id: string): Promise<string> {
  const cards = await createTestCards({ key: ann.key, workspace_id })
  const channel_id = cards.split('/')[2] ?? ''
  const first = await pushCard(ann.key, cards)
  await times(5 * 64, () => pushCard(ann.key, cards))
  await ann.key('PATCH', first, { status: 'error' })
  await ann.key('PUT', `${cards}/by-key/k`, textCard())
  const { sql } = service
  await sql`
    insert into header_actions (channel_id, id, label) values (${channel_id}, gen_random_uuid(), 'Go')`
  await sql`insert into channel_attributes (channel_id, key, value) values (${channel_id}, 'a', 'b')`
  await sql`insert into channel_attribute_times values (${channel_id}, now(), now()) on conflict do nothing`
  await sql`
    insert into document_snapshots (channel_id, epoch, seq, clock, state)
    values (${channel_id}, 0, 0, 0, '') on conflict do nothing`
  return cards
}

const filled = ['cards', 'channels', 'document_updates', 'documents', 'header_actions', 'page_versions']

test('deleting a channel leaves none of its rows', async () => {
  const before = await countChannelRows(service.sql)
  const cards = await fill(ann.workspace_id)
  const full = await countChannelRows(service.sql)
  for (const table of filled) expect(full[table], table).toBeGreaterThan(before[table] ?? 0)
  await ann.key('DELETE', cards.replace('/cards', ''))
  expect(await countChannelRows(service.sql)).toStrictEqual(before)
})

test('deleting a channel during writes leaves none of its rows', async () => {
  const before = await countChannelRows(service.sql)
  const cards = await createTestCards(ann)
  const writes = Array.from({ length: 50 }, (_, i) => ann.key('PUT', `${cards}/by-key/${i % 7}`, textCard()))
  const deletion = ann.key('DELETE', cards.replace('/cards', ''))
  const late = Array.from({ length: 50 }, () => ann.key('POST', cards, textCard()))
  expect((await deletion).status).toBe(200)
  const statuses = new Set((await Promise.all([...writes, ...late])).map(({ status }) => status))
  expect([...statuses].filter(status => ![200, 201, 404].includes(status))).toEqual([])
  expect(await countChannelRows(service.sql)).toStrictEqual(before)
})

test.each(['channel', 'workspace'])("a slow deletion of a %s doesn't delay other channels", async what => {
  const workspace_id = await createTestWorkspace(ann.session, 'Large')
  const doomed = await createTestCards({ key: ann.key, workspace_id })
  await pushCard(ann.key, doomed)
  const notOpenYet = await createTestCards({ key: ann.key, workspace_id })
  const other = await createTestCards(ann)
  const channel_id = doomed.split('/')[2] ?? ''
  const letGo = await holdLocks(
    service.database,
    sql => sql`select from cards where channel_id = ${channel_id} for update`,
  )
  const deletion =
    what === 'channel'
      ? ann.key('DELETE', doomed.replace('/cards', ''))
      : ann.session('DELETE', `/workspaces/${workspace_id}`)
  const gone = what === 'channel' ? [doomed] : [doomed, notOpenYet]
  try {
    await expect.poll(() => countLockWaits(service.sql)).toBe(1)
    const late = gone.map(cards => ann.key('POST', cards, textCard()))
    let pushed = 0
    const pushes = (async () => {
      for (; pushed < 20; pushed++) expect((await ann.key('POST', other, textCard())).status).toBe(201)
    })()
    await expect.poll(() => pushed, { timeout: 10_000 }).toBe(20)
    await letGo()
    await pushes
    expect((await deletion).status).toBe(200)
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual(gone.map(() => 404))
  } finally {
    await letGo()
  }
})

test('deleting a workspace removes its settings, slugs and keys', async () => {
  const before = await countChannelRows(service.sql)
  const workspace_id = await createTestWorkspace(ann.session, 'Doomed')
  await fill(workspace_id)
  await createTestCards({ key: ann.key, workspace_id })
  const { sql } = service
  await sql`insert into attribute_settings (workspace_id, key) values (${workspace_id}, 'a')`
  await ann.session('POST', '/api-keys', { name: 'K', workspace_id })
  await ann.session('DELETE', `/workspaces/${workspace_id}`)
  expect(await countChannelRows(sql)).toStrictEqual(before)
  const tables = await sql<{ table_name: string }[]>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id'`
  for (const { table_name } of tables) {
    const rows = await sql`select from ${sql(table_name)} where workspace_id = ${workspace_id}`
    expect(rows, table_name).toHaveLength(0)
  }
})

test('deleting a channel keeps the rows of others', async () => {
  const kept = await createTestCards(ann)
  await pushCard(ann.key, kept)
  const other = await createTestCards(ann)
  await pushCard(ann.key, other)
  await ann.key('DELETE', other.replace('/cards', ''))
  expect((await ann.key<{ cards: unknown[] }>('GET', kept)).body.cards).toHaveLength(1)
})
