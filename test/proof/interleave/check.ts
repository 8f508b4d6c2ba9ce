// What a run must have kept, read from the log with the model and the checkers that all proofs share.
import * as Y from 'yjs'
import { channelOf, readHead } from '../../../shared/channel-doc.ts'
import { expectRowsMatchDocument } from '../../feed/agreement.ts'
import type { Finding } from '../check/files.ts'
import { checkLinearizable } from '../check/linearizable.ts'
import { checkOnce } from '../check/once.ts'
import { filesOf } from '../check/sample.ts'
import { checkViewers } from '../check/viewers.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import type { Scene } from './scene.ts'
import type { WatchingDocument } from './viewer.ts'

export async function findingsOf(scene: Scene, viewers: WatchingDocument[]): Promise<Finding[]> {
  const { database, channel_id, tried, seen, heads } = scene
  const turns = await database.readLog(channel_id)
  // The viewers' marks are for runs in real time: here, all must agree at the end.
  const files = filesOf({ tried, turns, seen })
  return [
    ...scene.findings,
    ...checkOnce(files),
    ...checkLinearizable(files),
    ...checkViewers(files),
    ...checkEpoch(turns),
    ...checkHeads(heads, turns),
    ...checkConvergence(viewers, turns),
    ...(await checkRows(scene)),
  ]
}

async function checkRows({ database, channel_id }: Scene): Promise<Finding[]> {
  try {
    await expectRowsMatchDocument(database.sql, channel_id)
    return []
  } catch (error) {
    return [{ promise: 'P2', message: `the rows and the document differ: ${error}` }]
  }
}

/** Nothing was lost, so no instance may believe that the log went back. */
function checkEpoch(turns: TappedTurn[]): Finding[] {
  const begun = turns.filter(({ epoch }) => epoch > 0)
  return begun.map(({ epoch }) => ({ promise: 'P11', message: `epoch ${epoch} began without a reason` }))
}

/** A turn shows only the last of its changes, so one that is hidden was under way together with another. */
function checkHeads(heads: Scene['heads'], turns: TappedTurn[]): Finding[] {
  const shown = descriptionsOf(turns)
  const byOp = new Map(heads.map(head => [head.op, head]))
  const findings = heads.flatMap(({ op, begin, end, refused }): Finding[] => {
    const times = shown.filter(description => description === op).length
    if (times > 1) return [{ promise: 'P2', message: `head ${op} is in the log ${times} times` }]
    if (times === 1 && refused)
      return [{ promise: 'P2', message: `head ${op} was refused, and is in the log` }]
    const hidden = heads.some(other => other.op !== op && other.begin < end && begin < other.end)
    if (times === 0 && end !== Infinity && !hidden)
      return [{ promise: 'P1', message: `head ${op} was acknowledged, and is not in the log` }]
    return []
  })
  for (const [i, op] of shown.entries()) {
    const head = byOp.get(op)
    if (!head) findings.push({ promise: 'P2', message: `no client sent head ${op}` })
    else if (shown.slice(0, i).some(earlier => (byOp.get(earlier)?.begin ?? 0) > head.end))
      findings.push({ promise: 'P3', message: `head ${op} came after one that began when it had ended` })
  }
  return findings
}

/** Each change of the description, in the order of the log. */
function descriptionsOf(turns: TappedTurn[]): string[] {
  const doc = new Y.Doc()
  const shown: string[] = []
  for (const { update } of turns) {
    Y.applyUpdate(doc, Buffer.from(update, 'base64'))
    const description = readHead(channelOf(doc))?.description
    if (description && description !== shown.at(-1)) shown.push(description)
  }
  doc.destroy()
  return shown
}

function checkConvergence(viewers: WatchingDocument[], turns: TappedTurn[]): Finding[] {
  const doc = new Y.Doc()
  for (const { update } of turns) Y.applyUpdate(doc, Buffer.from(update, 'base64'))
  const shownBy = (doc: Y.Doc) => `${JSON.stringify(clocksOf(doc))} ${digestOf(doc)}`
  const last = shownBy(doc)
  doc.destroy()
  const late = viewers.filter(viewer => shownBy(viewer.doc) !== last)
  return late.map(viewer => ({
    promise: 'P6',
    message: `after the heal, ${viewer.name} shows ${shownBy(viewer.doc)} instead of ${last}`,
  }))
}
