// Which pages have left a document that was too large for five pages. The service chooses when, so its log is asked.
import * as Y from 'yjs'
import { oldestPageOf } from '../../../shared/channel-doc.ts'
import { LIVE_MAX_BYTES } from '../../../shared/limits.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import { groupBy } from '../group.ts'

/** Base64 takes four characters for three bytes. */
const LARGE = (LIVE_MAX_BYTES * 4) / 3

/** In the order of the log. Only turns of channels that may have been too large get an oldest page. */
export function withOldestPages(turns: TappedTurn[]): TappedTurn[] {
  const logs = groupBy(turns, ({ channel_id }) => channel_id)
  const oldest = new Map([...logs.values()].filter(isLarge).flatMap(oldestPages))
  return turns.map(turn => ({ ...turn, ...(oldest.has(turn) && { oldest_page: oldest.get(turn) }) }))
}

const isLarge = (log: TappedTurn[]) => log.reduce((sum, { update }) => sum + update.length, 0) > LARGE

function oldestPages(log: TappedTurn[]): [TappedTurn, number][] {
  let doc = new Y.Doc()
  return log.map((turn, i) => {
    if (turn.epoch !== log[i - 1]?.epoch) doc = new Y.Doc()
    Y.applyUpdate(doc, Buffer.from(turn.update, 'base64'))
    return [turn, oldestPageOf(doc)]
  })
}
