// Checks the files of a run. Deterministic, so that an old run can be checked again.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { losesHistory } from '../faults.ts'
import type { Plan } from '../plan.ts'
import { checkAbandonment } from './abandonment.ts'
import { checkActs } from './acts.ts'
import { checkAnswers } from './answers.ts'
import { checkBounds } from './bounds.ts'
import { checkCalm } from './calm.ts'
import { checkConnected } from './connected.ts'
import { coverageOf } from './coverage.ts'
import { checkDecisions } from './decisions.ts'
import { type Files, type Finding, phaseOf, readFiles } from './files.ts'
import { checkHidden } from './hidden.ts'
import { checkLinearizable } from './linearizable.ts'
import { checkLive } from './live.ts'
import { checkLost } from './lost.ts'
import { checkOnce } from './once.ts'
import { checkPages } from './pages.ts'
import { checkPresses } from './presses.ts'
import { checkProgress } from './progress.ts'
import { checkQuota } from './quota.ts'
import { checkRestarts } from './restarts.ts'
import { checkRights } from './rights.ts'
import { checkSettings } from './settings.ts'
import { checkSignatures } from './signatures.ts'
import { checkSigned } from './signed.ts'
import { checkSnapshots } from './snapshots.ts'
import { checkStops } from './stops.ts'
import { checkStreams } from './streams.ts'
import { checkUnavailable } from './unavailable.ts'
import { checkViewers } from './viewers.ts'
import { checkViews } from './views.ts'
import { checkWaits } from './waits.ts'
import { checkWebhooks } from './webhooks.ts'
import { checkSentOnce, withoutLost } from './without-lost.ts'

export type NamedFinding = Finding & { checker: string }

export type Verdict = {
  findings: NamedFinding[]
  /** Why the run proves nothing; empty if it does. */
  missing: string[]
  counts: Record<string, number>
}

type Checker = (files: Files) => Finding[]

/** After lost history, nobody can tell what became of a question. */
const ifKept =
  (checker: Checker): Checker =>
  files =>
    files.marks.some(mark => mark.kind === 'fault' && losesHistory(mark.fault)) ? [] : checker(files)

/** By the name of its file. */
const CHECKERS = {
  once: withoutLost(checkOnce),
  linearizable: withoutLost(checkLinearizable),
  viewers: checkViewers,
  connected: checkConnected,
  streams: checkStreams,
  live: checkLive,
  webhooks: withoutLost(checkWebhooks),
  signatures: checkSignatures,
  acts: withoutLost(checkActs),
  answers: withoutLost(checkAnswers),
  pages: withoutLost(checkPages),
  settings: withoutLost(checkSettings),
  decisions: ifKept(checkDecisions),
  presses: ifKept(checkPresses),
  waits: ifKept(checkWaits),
  signed: ifKept(checkSigned),
  abandonment: ifKept(checkAbandonment),
  hidden: checkHidden,
  quota: checkQuota,
  rights: checkRights,
  'without-lost': checkSentOnce,
  lost: checkLost,
  snapshots: checkSnapshots,
  views: checkViews,
  bounds: checkBounds,
  progress: checkProgress,
  stops: checkStops,
  restarts: checkRestarts,
  unavailable: checkUnavailable,
}
export type CheckerName = keyof typeof CHECKERS

/** `alone`: nothing else kept the machine busy during the run. Otherwise its times say nothing about the service. */
export async function check(folder: string, alone = true): Promise<Verdict> {
  const files = await readFiles(folder)
  const { tried, turns, seen, heard, delivered, marks } = files
  const checkers = Object.entries<Checker>(alone ? { ...CHECKERS, calm: checkCalm } : CHECKERS)
  const findings = checkers.flatMap(([checker, find]) => find(files).map(found => ({ checker, ...found })))
  const unknown = tried.filter(({ answer }) => answer === null || answer.status >= 500).length
  const faults = marks.filter(mark => mark.kind === 'fault')
  const coverage = coverageOf(files, await readPlan(folder))
  const idle = faults.filter(({ evidence }) => evidence === null)
  return {
    findings,
    missing: [
      ...idle.map(({ fault }) => `${fault.kind} at ${fault.at} ms had no effect`),
      ...missingFrom(files),
      ...coverage.missing,
    ],
    counts: {
      requests: tried.length,
      'unknown answers': unknown,
      turns: turns.length,
      'changes that viewers saw': seen.filter(({ kind }) => kind === 'shows').length,
      'events that streams heard': heard.length,
      'webhooks received': delivered.length,
      'rights taken away': files.revoked.length,
      ...coverage.counts,
      'views compared': files.views.length,
      faults: faults.length,
    },
  }
}

const readPlan = async (folder: string): Promise<Plan | null> =>
  JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8').catch(() => 'null'))

/** What the checkers had nothing of. A phase that never began is a run that didn't end. */
function missingFrom(files: Files): string[] {
  const { turns, heard, views, ending, revoked, marks } = files
  const needed = { turns, 'events that streams heard': heard, views, 'channels at the end': ending }
  const watched = revoked
    .flatMap(({ seen }) => seen)
    .filter(({ allowed, open }) => allowed && open.some(({ opened }) => opened))
  return [
    ...Object.entries(needed).flatMap(([what, records]) => (records.length === 0 ? [`no ${what}`] : [])),
    ...(revoked.length > 0 && watched.length === 0 ? ['no right worked before it was taken away'] : []),
    ...(phaseOf(marks, 'end') === Infinity ? ['the run has no end'] : []),
  ]
}
