// A service under load until the test ends: channels, stock viewers, writers, and the database.
import { expect, vi } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { readCards } from '../../server/feed/log/card-rows.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { withKey } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { createChannel } from '../support/channels.ts'
import { startServer } from '../support/server.ts'
import { times } from '../support/times.ts'
import { type TestViewer, watchSynced } from '../support/viewer.ts'
import { Load } from './load.ts'
import { pidFileOf } from './pid-file.ts'

export async function startScene(writers = 8) {
  const server = await startServer({
    DAILY_CARD_LIMIT: '0',
    DAILY_BYTE_LIMIT: '0',
    DAILY_CHANNEL_LIMIT: '0',
    LOG_LEVEL: 'info',
  })
  afterTest(server.stop)
  const { url, api_key, workspace_id } = server
  const account = { key: withKey(url, api_key), workspace_id }
  const channel_ids = await times(2, () => createChannel(account))
  const joining = channel_ids.flatMap(id => [
    watchSynced(url, id, { token: api_key }),
    watchSynced(url, id, { token: api_key, version: '2.1' }),
  ])
  const viewers = await Promise.all(joining)
  const load = new Load({ url, api_key }, channel_ids, writers)
  afterTest(() => load.stop())

  return {
    server,
    viewers,
    load,
    /** Stops the writers and compares responses, rows, documents and viewers. */
    async expectWhole() {
      await load.stop()
      await load.expectKept()
      const sql = connect({ socket_dir: pidFileOf(server).socket_dir }, { max: 1 })
      try {
        for (const id of channel_ids) await expectRowsMatchDocument(sql, id)
        for (const [i, viewer] of viewers.entries()) {
          const id = channel_ids[Math.floor(i / 2)] ?? ''
          const rows = await readCards(sql, id, 0, Number.MAX_SAFE_INTEGER)
          const expectSame = () => expectUpToDate(viewer, rows, `viewer ${i}`)
          await vi.waitFor(expectSame, { timeout: 30_000, interval: 5 })
        }
      } finally {
        await sql.end()
      }
      for (const fault of ['500', 'no answer'])
        expect({ [fault]: load.met.get(fault) }).toEqual({ [fault]: undefined })
    },
  }
}

/** Checks that the viewer shows the newest of a channel's cards without a gap. */
export function expectUpToDate(viewer: TestViewer, rows: PlacedCard[], name: string): void {
  const seen = viewer.cards()
  const oldest = seen[0]?.position ?? 0
  expect(seen.at(-1)?.id, `${name} sees the newest card`).toBe(rows.at(-1)?.id)
  expect(seen).toEqual(rows.filter(({ position }) => position >= oldest))
}
