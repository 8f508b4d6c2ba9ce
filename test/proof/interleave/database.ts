// One embedded PostgreSQL for all runs. A run has a channel of its own, which costs less than a database of its own.
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { connect } from '../../../server/database/connect.ts'
import { startEmbedded } from '../../../server/database/embedded.ts'
import { migrate } from '../../../server/database/migrate.ts'
import { createUser } from '../../../server/model/users.ts'
import { createWorkspace } from '../../../server/model/workspaces.ts'
import { createChannelRows, settle } from '../../feed/scripted.ts'
import type { TappedTurn } from '../cluster/tap.ts'

export type Database = Awaited<ReturnType<typeof startDatabase>>

export async function startDatabase() {
  const data_dir = await mkdtemp(join(tmpdir(), 'channel-feed-interleave-'))
  // If root runs the tests, another user runs PostgreSQL.
  await chmod(data_dir, 0o755)
  const log = pino({ level: 'silent' })
  const server = await startEmbedded({ data_dir, log, package: process.env.TEST_POSTGRES_PACKAGE })
  const target = { socket_dir: server.socket_dir, database: 'postgres' }
  const admin = connect(target, { max: 1 })
  await migrate(admin)
  // The machine doesn't crash, only instances do.
  await admin`alter database postgres set synchronous_commit = off`
  await admin.end()

  const sql = connect(target, { max: 2, fixed_plans: true })
  const history = await settle(sql)
  const owner = { email: `${randomUUID()}@example.com`, name: 'Owner', password_hash: 'none' }
  const { id: owner_id } = await createUser(sql, owner)
  const workspace = await createWorkspace(sql, owner_id, { name: 'Team', icon: '🏢' }, null)

  return {
    sql,
    target,
    history,
    owner_id,

    /** Its log keeps the events of all turns. */
    async createChannel(): Promise<string> {
      const channel_id = await createChannelRows(sql, workspace.id)
      await sql`update documents set events_until = '2100-01-01' where channel_id = ${channel_id}`
      return channel_id
    },

    readLog: (channel_id: string) => sql<TappedTurn[]>`
      select 0 as at, 0 as n, '' as timeline, '' as wal, channel_id, epoch, seq, clock, turn_id,
        encode(update, 'base64') as update, events
      from document_updates where channel_id = ${channel_id} order by epoch, seq`,

    async stop(): Promise<void> {
      await sql.end({ timeout: 1 })
      await server.stop()
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}
