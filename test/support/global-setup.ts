// Once per run: starts a real PostgreSQL in a temporary folder, with a migrated database to clone.
// TEST_POSTGRES_PACKAGE=postgres-14-linux-x64 runs the tests on the oldest version that we support.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { connect } from '../../server/database/connect.ts'
import { startEmbedded } from '../../server/database/embedded.ts'
import { migrate } from '../../server/database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    socket_dir: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data_dir = await mkdtemp(join(tmpdir(), 'channel-feed-test-'))
  await chmod(data_dir, 0o755) // where root runs the tests, another user runs PostgreSQL
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const server = await startEmbedded({
    data_dir,
    log,
    package: process.env.TEST_POSTGRES_PACKAGE,
    // Four test files at once, some with five instances.
    max_connections: 600,
  })
  async function teardown(): Promise<void> {
    await server.stop()
    await rm(data_dir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(server.socket_dir)
  } catch (error) {
    await teardown()
    throw error
  }
  project.provide('socket_dir', server.socket_dir)
  return teardown
}

async function makeTemplate(socket_dir: string): Promise<void> {
  const admin = connect({ socket_dir }, { max: 1 })
  // Nothing of it outlives the run.
  await admin`alter system set fsync = off`
  await admin`alter system set full_page_writes = off`
  await admin`select pg_reload_conf()`
  await admin`create database template_migrated`
  await admin.end()
  const sql = connect({ socket_dir, database: 'template_migrated' }, { max: 1 })
  await migrate(sql).finally(() => sql.end())
}
