// P1 and P11 when the database went back: only what it lacked is missing, and no viewer keeps it.
import * as Y from 'yjs'
import type { TappedTurn } from '../cluster/tap.ts'
import { groupBy } from '../group.ts'
import { clocksOf } from '../load/digest.ts'
import type { Mark } from '../run.ts'
import { byChannel, type Files, type Finding } from './files.ts'
import { where } from './locate.ts'

const FORGOTTEN_MS = 10_000

type Loss = Extract<Mark, { kind: 'lost history' }>

const lossesOf = (marks: Mark[]) => marks.filter((mark): mark is Loss => mark.kind === 'lost history')

export function checkLost({ lost, turns, seen, marks }: Files): Finding[] {
  const losses = lossesOf(marks)
  const findings = lost.flatMap(turn => {
    if (losses.some(({ wal }) => wal !== null && isAfter(turn.wal, wal))) return []
    const kept = losses.map(({ wal }) => wal ?? 'everything').join(', ') || 'everything'
    return [{ promise: 'P1', message: `${where(turn)} is gone, and the database kept ${kept}` }]
  })
  const logs = byChannel(turns)
  for (const [channel_id, gone] of byChannel(lost)) {
    const states = statesOf(logs.get(channel_id) ?? [], gone)
    const viewers = groupBy(
      seen.filter(one => one.channel_id === channel_id),
      ({ viewer }) => viewer,
    )
    for (const [viewer, records] of viewers)
      for (const { ended } of losses) {
        const last = records.findLast(
          ({ at, kind }) => at <= ended + FORGOTTEN_MS * 1000 && (kind === 'shows' || kind === 'starts over'),
        )
        if (last?.kind === 'shows' && states.has(keyOfClocks(last.clocks)))
          findings.push({
            promise: 'P11',
            message: `viewer ${viewer} of channel ${channel_id} showed a lost write ${FORGOTTEN_MS} ms after the loss`,
          })
      }
  }
  return findings
}

/** The states that documents had only after lost turns. `log` and `lost` of one channel. */
export function statesOf(log: TappedTurn[], lost: TappedTurn[]): Set<string> {
  const states = new Set<string>()
  for (const epoch of new Set(lost.map(turn => turn.epoch))) {
    const doc = new Y.Doc()
    for (const turn of log) if (turn.epoch === epoch) Y.applyUpdate(doc, Buffer.from(turn.update, 'base64'))
    for (const turn of lost) {
      if (turn.epoch !== epoch) continue
      Y.applyUpdate(doc, Buffer.from(turn.update, 'base64'))
      states.add(keyOfClocks(clocksOf(doc)))
    }
  }
  return states
}

/** Names a state of a document. */
export const keyOfClocks = (clocks: Record<string, number>): string =>
  Object.entries(clocks)
    .map(([client, clock]) => `${client}:${clock}`)
    .join(' ')

/** WAL positions such as `1/5A2B3C`. */
function isAfter(a: string, b: string): boolean {
  const numberOf = (wal: string) => {
    const [high = '0', low = '0'] = wal.split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  }
  return numberOf(a) > numberOf(b)
}
