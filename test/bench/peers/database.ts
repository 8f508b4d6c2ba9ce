// The peers' PostgreSQL: the service's embedded server, or DATABASE_URL.
import { connect, type Sql } from '../../../server/database/connect.ts'
import { startEmbedded } from '../../../server/database/embedded.ts'

const quiet = { debug() {}, info() {}, warn: console.error, error: console.error }

export async function openDatabase(): Promise<{ sql: Sql; close(): Promise<void> }> {
  const { DATABASE_URL, DATA_DIR = './data' } = process.env
  const embedded = DATABASE_URL ? null : await startEmbedded({ data_dir: DATA_DIR, log: quiet })
  const sql = connect(embedded ?? { url: DATABASE_URL ?? '' })
  return {
    sql,
    async close() {
      await sql.end({ timeout: 2 })
      await embedded?.stop()
    },
  }
}
