// A service under load: channels, stock viewers, writers, and the database.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { readCards } from '../../server/feed/card-rows.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { caller } from '../support/service.ts'
import { type TestViewer, until, watch } from '../support/viewer.ts'
import { Load } from './load.ts'

export type Scene = {
  server: TestServer
  channel_ids: string[]
  viewers: TestViewer[]
  load: Load
  /** Stops the writers and compares responses, rows, documents and viewers. */
  expectWhole(): Promise<void>
  end(): Promise<void>
}

export async function startScene(writers = 8): Promise<Scene> {
  const server = await startServer({ DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', LOG_LEVEL: 'info' })
  const { url, api_key, workspace_id } = server
  const call = caller(`${url}/api/v1`, { Authorization: `Bearer ${api_key}` })
  const channel_ids: string[] = []
  for (const name of ['One', 'Two']) {
    const { body } = await call<{ id: string }>('POST', '/channels', { name, workspace_id })
    channel_ids.push(body.id)
  }
  const viewers = channel_ids.flatMap(id => [
    watch(url, id, { token: api_key }),
    watch(url, id, { token: api_key, version: '2.1' }),
  ])
  await until(() => viewers.every(({ provider }) => provider.synced), 'the viewers are synced')
  const load = new Load({ url, api_key }, channel_ids, writers)

  return {
    server,
    channel_ids,
    viewers,
    load,
    async expectWhole() {
      await load.stop()
      await load.expectKept()
      const sql = connect({ socket_dir: await socketOf(server) }, { max: 1 })
      try {
        for (const id of channel_ids) await expectRowsMatchDocument(sql, id)
        for (const [i, viewer] of viewers.entries()) {
          const id = channel_ids[Math.floor(i / 2)] ?? ''
          const rows = await readCards(sql, id, 0, Number.MAX_SAFE_INTEGER)
          const newest = rows.at(-1)
          await viewer.sees(
            cards =>
              JSON.stringify(cards.at(-1)?.blocks.length) === JSON.stringify(newest?.blocks.length) &&
              cards.at(-1)?.id === newest?.id,
            `viewer ${i} sees the newest card`,
          )
          await until(() => {
            const seen = viewer.cards()
            const oldest = seen[0]?.position ?? 0
            return isSame(
              seen,
              rows.filter(({ position }) => position >= oldest),
            )
          }, `viewer ${i} sees what the rows say`)
        }
      } finally {
        await sql.end()
      }
      for (const fault of ['500', 'no answer'])
        expect({ [fault]: load.met.get(fault) }).toEqual({ [fault]: undefined })
    },
    async end() {
      for (const viewer of viewers) viewer.leave()
      await load.stop()
      await server.stop()
    },
  }
}

/** Ignores the order of keys, which jsonb does not keep. */
function isSame(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b)
    return true
  } catch {
    return false
  }
}

async function pidFile({ data_dir }: TestServer): Promise<string[]> {
  return (await readFile(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
}

async function socketOf(server: TestServer): Promise<string> {
  return (await pidFile(server))[4] ?? ''
}

export async function postgresPid(server: TestServer): Promise<number> {
  return Number((await pidFile(server))[0])
}
