// The rows that triggers write when access changes, and how an instance reads them.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deleteOldAccessChanges, readAccessChanges } from '../../server/bus/access-changes.ts'
import { createUser } from '../../server/model/users.ts'
import { runDatabase } from '../support/running.ts'

const { sql } = await runDatabase()

const presentPosition = async () => (await readAccessChanges(sql, null)).position

/** A user with a workspace that has `size` channels and as many keys of its own. */
async function createWorkspace(size = 1): Promise<{ user_id: string; id: string }> {
  const email = `${randomUUID()}@example.com`
  const user = await createUser(sql, { email, name: 'Ann', password_hash: 'x' })
  const id = randomUUID()
  await sql`insert into workspaces (id, user_id, name, slug, icon) values (${id}, ${user.id}, 'W', ${id}, '🏢')`
  await sql`
    insert into channels (id, workspace_id, name, icon)
    select gen_random_uuid(), ${id}, 'C', '📡' from generate_series(1, ${size})`
  await sql`
    insert into api_keys (id, user_id, workspace_id, name, key_hash, prefix)
    select gen_random_uuid(), ${user.id}, ${id}, 'K', uuid_send(gen_random_uuid()), 'cf_' from generate_series(1, ${size})`
  return { user_id: user.id, id }
}

/** How many changes of each kind `work` makes. */
async function countChanges(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await presentPosition()
  await work()
  const { changes } = await readAccessChanges(sql, before)
  const counts: Record<string, number> = {}
  for (const { kind } of changes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

describe('the trigger', () => {
  test('a trigger writes a row for a deleted workspace, and for each of its channels and keys', async () => {
    const { id } = await createWorkspace(3_000)
    const counts = await countChanges(() => sql`delete from workspaces where id = ${id}`)
    expect(counts).toEqual({ workspace_deleted: 1, channel_deleted: 3_000, key_ended: 3_000 })
  })

  test('a trigger writes a row for all that a deleted user had, but not for expired sessions', async () => {
    const { user_id } = await createWorkspace()
    for (const expires_at of ['-infinity', 'infinity'])
      await sql`
        insert into sessions (id, token_hash, user_id, expires_at)
        values (gen_random_uuid(), uuid_send(gen_random_uuid()), ${user_id}, ${expires_at})`
    const counts = await countChanges(() => sql`delete from users where id = ${user_id}`)
    expect(counts).toEqual({ workspace_deleted: 1, channel_deleted: 1, key_ended: 1, session_ended: 1 })
  })

  test('a trigger writes a row once for a changed right, but not for other changes', async () => {
    const { id } = await createWorkspace()
    const harmless = async () => {
      await sql`update workspaces set name = 'X', visibility = visibility where id = ${id}`
      await sql`update api_keys set last_used_at = now(), scope = scope where workspace_id = ${id}`
    }
    expect(await countChanges(harmless)).toEqual({})
    const revoking = async () => {
      await sql`update workspaces set visibility = 'public' where id = ${id}`
      await sql`update workspaces set access_version = access_version + 1 where id = ${id}`
      await sql`update api_keys set scope = 'read' where workspace_id = ${id}`
    }
    expect(await countChanges(revoking)).toEqual({ workspace_changed: 1, key_ended: 1 })
  })
})

describe('the reader', () => {
  const endKey = (key_id: string) =>
    sql`insert into access_changes (change) values (${sql.json({ kind: 'key_ended', key_id })})`

  test('reading access changes returns each change once, even if its transaction overlapped others', async () => {
    const received: string[] = []
    let position = await presentPosition()
    const read = async () => {
      const read_changes = await readAccessChanges(sql, position)
      position = read_changes.position
      for (const change of read_changes.changes) if (change.kind === 'key_ended') received.push(change.key_id)
    }
    await sql.begin(async tx => {
      await tx`insert into access_changes (change) values ('{"kind": "key_ended", "key_id": "slow"}')`
      await endKey('quick')
      await read()
      await read()
      expect(received).toEqual(['quick'])
    })
    await read()
    await read()
    expect(received).toEqual(['quick', 'slow'])
  })

  test('reading access changes reports a gap if rows may have been deleted unread, or the database has lost history', async () => {
    const now = await presentPosition()
    expect(await readAccessChanges(sql, now)).toMatchObject({ gap: false })
    const [{ old, future } = { old: '', future: '' }] = await sql<{ old: string; future: string }[]>`
      select (now() - interval '31 minutes')::text as old,
        (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text as future`
    expect(await readAccessChanges(sql, { ...now, at: old })).toMatchObject({ gap: true })
    expect(await readAccessChanges(sql, { ...now, horizon: future })).toMatchObject({ gap: true })
  })

  test('reading access changes reports a gap for an unknown kind of change', async () => {
    const before = await presentPosition()
    await sql`insert into access_changes (change) values ('{"kind": "member_removed"}')`
    expect(await readAccessChanges(sql, before)).toMatchObject({ gap: true, changes: [] })
  })

  test('reading access changes continues after old rows were deleted, and recent rows stay', async () => {
    const before = await presentPosition()
    await endKey('old')
    await sql`update access_changes set created_at = now() - interval '61 minutes'`
    await endKey('recent')
    await deleteOldAccessChanges(sql)
    const { changes, gap } = await readAccessChanges(sql, before)
    expect({ changes, gap }).toEqual({ changes: [{ kind: 'key_ended', key_id: 'recent' }], gap: false })
  })
})
