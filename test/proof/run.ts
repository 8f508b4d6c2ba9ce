// Carries out a plan: ramp, faults, heal, quiet, resume. Everything that happened is in the files of the run.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, type ClusterOptions, startCluster } from './cluster/cluster.ts'
import { dumpState } from './cluster/dump.ts'
import { findIdleTransactions } from './cluster/idle-transactions.ts'
import { startSupervisor } from './cluster/supervisor.ts'
import { startTap, type TappedTurn } from './cluster/tap.ts'
import { type Fault, losesHistory } from './faults.ts'
import { writeFigures } from './figures.ts'
import { keepCoreAlive } from './liveness.ts'
import { type Ending, readEnding } from './load/ending.ts'
import { CARD_LIMIT, makeScene } from './load/make-scene.ts'
import type { Pace, Posters } from './load/posters.ts'
import type { ReceiverProcess } from './load/receiver.ts'
import { type Remote, startRemote } from './load/remote.ts'
import { DELIVERIES, ENDING, LOST, MARKS, SCENE, TAP, VIEWS } from './load/scene.ts'
import type { Streams } from './load/streams.ts'
import type { Viewers } from './load/viewers.ts'
import { readViews, type View } from './load/views.ts'
import { type Bound, begin, type Stage } from './nemesis/nemesis.ts'
import type { Plan } from './plan.ts'
import { type JsonLines, now, writeJsonLines } from './records.ts'
import { hasNoAbandoned, hasNoDeadlines, isSettled } from './settled.ts'
import { holdsWithin, within } from './wait.ts'

/** A line of marks.jsonl. `together`: with the other faults of a liveness phase. */
export type Mark = { at: number } & (
  | {
      kind: 'fault'
      fault: Fault
      ended: number
      evidence: string | null
      channel_id?: string
      /** When the instance that was asked to stop had ended. */
      stopped_at?: number
      /** With the other faults of a liveness phase. */
      together?: boolean
    }
  | ({ kind: 'bound' } & Bound)
  /** The database went back. `wal`: up to where it kept everything; null: it lacks nothing. */
  | { kind: 'lost history'; ended: number; wal: string | null }
  | { kind: 'phase'; phase: 'ramp' | 'core' | 'heal' | 'quiet' | 'resume' | 'end' }
)

/** A line of deliveries.jsonl: an interaction and its delivery as they are stored at the end. */
export type StoredDelivery = {
  channel_id: string
  interaction_id: string
  number: number
  trigger: unknown
  delivery_id: string | null
  place: number | null
  status: string | null
  sent: boolean
  attempts: number | null
  error: string | null
}

const READY_MS = 60_000
/** Longer than any promise about the quiet phase, also on a slow machine: the checkers read from the files when it was kept. */
const QUIET_MS = 45_000
/** Preloading takes a quarter of it on a machine with nothing else to do. */
const STARTS_MS = 240_000
const LIVENESS_MS = 60_000
/** Longer than any question's deadline, and the time until its expiry is written. */
const DEADLINES_MS = 10_000
/** Longer than questions stay without a waiter. */
const ABANDONED_MS = 40_000

export type RunOptions = Pick<ClusterOptions, 'env' | 'startBalancer' | 'previous'> & {
  plan: Plan
  folder: string
  build: string
  say?: ((line: string) => void) | undefined
}

/** `folder` gets the files of the run; what was there is removed. */
export async function run(options: RunOptions): Promise<void> {
  const { plan, folder, build, env, startBalancer, previous, say = () => {} } = options
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
  const supervisor = await startSupervisor(folder)
  const marks = writeJsonLines<Mark>(join(folder, MARKS))
  let cluster: Cluster | undefined
  try {
    cluster = await startCluster({
      supervisor,
      instances: plan.instances,
      bus: plan.bus,
      build,
      startBalancer,
      previous,
      env: { DAILY_CARD_LIMIT: String(CARD_LIMIT), ...env },
      ...neededBy(plan.nemesis),
    })
    // Faults may take twice their plan.
    const limit_ms =
      STARTS_MS + 2 * plan.heal_at + 2 * QUIET_MS + ABANDONED_MS + (plan.liveness ? LIVENESS_MS : 0)
    await within(limit_ms, carryOut(plan, cluster, { folder, marks, say }), 'the run ends')
  } catch (error) {
    await dumpState(supervisor, cluster?.postgres)
    throw error
  } finally {
    await cluster?.end()
    await supervisor.end()
    await marks.end()
  }
}

/** What faults need before the cluster starts. */
function neededBy(faults: Fault[]): Pick<ClusterOptions, 'clocks' | 'database' | 'pooler'> {
  const clocks = faults.filter(({ kind }) => kind === 'clock')
  const disks = faults.filter(fault => fault.kind === 'disk').map(({ how }) => how)
  const disk = disks.includes('really full') ? 'small' : disks.length > 0 ? 'faulty' : undefined
  return {
    clocks: clocks.some(fault => 'instance' in fault),
    pooler: faults.some(({ kind }) => kind === 'pooler'),
    database: { clock: clocks.some(fault => 'of' in fault), ...(disk && { disk }) },
  }
}

type Report = { folder: string; marks: JsonLines<Mark>; say: (line: string) => void }

async function carryOut(plan: Plan, cluster: Cluster, { folder, marks, say }: Report): Promise<void> {
  const { supervisor, sql } = cluster
  const [receiver, posters, viewers, streams] = await Promise.all([
    startRemote<ReceiverProcess>(supervisor, 'receiver'),
    startRemote<Posters>(supervisor, 'posters'),
    startRemote<Viewers>(supervisor, 'viewers'),
    startRemote<Streams>(supervisor, 'streams'),
  ])
  const webhook_port = await receiver.call('open', { folder })
  cluster.webhooks.repoint({ port: webhook_port })
  const scene = await makeScene(plan, cluster, { folder, webhook_port: cluster.webhooks.port })
  await writeFile(join(folder, SCENE), JSON.stringify(scene))
  const phase = (phase: Extract<Mark, { kind: 'phase' }>['phase']) => {
    say(phase)
    marks.write({ at: now(), kind: 'phase', phase })
  }
  const tap_file = writeJsonLines<TappedTurn>(join(folder, TAP))
  const tap = startTap(sql, tap_file)
  // First, so that every turn carries its events.
  await streams.call('open', scene)
  await posters.call('open', scene)
  await posters.call('preload', null)
  await viewers.call('open', scene)

  phase('ramp')
  for (const newcomer of plan.newcomers)
    void posters
      .call('beginOf', newcomer.burst)
      .then(() => viewers.call('join', newcomer))
      .catch(() => {})
  const posting = posters.call('post', 'during')
  // If a fault fails first, nobody waits for it.
  posting.catch(() => {})
  const stage: Stage = { ...cluster, scene, receiver, viewers, catchUp: tap.catchUp }
  await doFaults(plan, stage, { marks, say, posters })
  await cluster.ready(READY_MS)
  if (plan.liveness) {
    await posting
    await keepCoreAlive(plan.liveness, {
      begin: fault => begin(stage, fault),
      async post() {
        await posters.call('setPace', { late_ms: 0, until_ms: Number.MAX_SAFE_INTEGER })
        await posters.call('post', 'core')
      },
      phase,
      write: marks.write,
      say,
    })
    await cluster.ready(READY_MS)
  }
  phase('heal')
  await posting
  // An expiry is a write.
  await holdsWithin(DEADLINES_MS, () => hasNoDeadlines(cluster))
  await holdsWithin(ABANDONED_MS, () => hasNoAbandoned(cluster, posters))
  phase('quiet')
  await holdsWithin(QUIET_MS, () => isSettled(cluster, { viewers, streams, posters }))
  // Before the mark, so that the files tell the turns of the two phases apart.
  await tap.catchUp()
  marks.write({ at: now(), kind: 'bound', ...(await findIdleTransactions(cluster)) })
  await writeAll<View>(join(folder, VIEWS), await readViews(cluster, scene))
  await posters.call('setPace', { late_ms: 0, until_ms: Number.MAX_SAFE_INTEGER })
  phase('resume')
  await posters.call('post', 'resume')
  await holdsWithin(QUIET_MS, () => isSettled(cluster, { viewers, streams, posters }))
  const lost = await tap.stop()
  phase('end')
  await tap_file.end()
  await writeFile(join(folder, LOST), JSON.stringify(lost))
  await writeDeliveries(cluster, folder, scene.channel_ids)
  await writeAll<Ending>(join(folder, ENDING), await readEnding(cluster, scene))
  await writeFigures(cluster, folder)
  await Promise.all([
    posters.call('close', null),
    viewers.call('close', null),
    streams.call('close', null),
    receiver.call('close', null),
  ])
}

/** The pace keeps the posters from running ahead of faults that take longer than planned. */
async function doFaults(
  plan: Plan,
  stage: Stage,
  { marks, say, posters }: Omit<Report, 'folder'> & { posters: Remote<Posters> },
): Promise<void> {
  const setPace = (pace: Pace) => posters.call('setPace', pace)
  const began = performance.now()
  let late_ms = 0
  for (const [i, fault] of plan.nemesis.entries()) {
    await setPace({ late_ms, until_ms: plan.nemesis[i + 1]?.at ?? plan.heal_at })
    await delay(Math.max(0, began + fault.at + late_ms - performance.now()))
    const at = now()
    await posters.call('setLearning', !losesHistory(fault))
    const ongoing = await begin(stage, fault)
    await delay(fault.lasts)
    await ongoing.end()
    await posters.call('setLearning', true)
    late_ms = Math.max(0, performance.now() - began - fault.at - fault.lasts)
    const evidence = ongoing.evidence()
    const { channel_id } = ongoing
    const stopped_at = ongoing.stopped_at?.()
    const more = { ...(channel_id && { channel_id }), ...(stopped_at && { stopped_at }) }
    marks.write({ at, kind: 'fault', fault, ended: now(), evidence, ...more })
    const loss = ongoing.loss?.()
    if (loss) marks.write({ at, kind: 'lost history', ended: now(), ...loss })
    for (const bound of ongoing.bounds?.() ?? []) marks.write({ at, kind: 'bound', ...bound })
    say(`${fault.kind}: ${evidence ?? 'no effect'}`)
  }
  await setPace({ late_ms, until_ms: plan.heal_at })
}

async function writeDeliveries({ sql }: Cluster, folder: string, channel_ids: string[]): Promise<void> {
  const rows = await sql<StoredDelivery[]>`
    select i.channel_id, i.interaction_id, i.number, i.trigger, d.id as delivery_id, d.place, d.status,
      d.sent_at is not null as sent, d.attempts, d.error
    from interactions i left join webhook_deliveries d using (channel_id, number)
    where i.channel_id = any(${channel_ids}::uuid[]) order by channel_id, number, place`
  await writeAll(join(folder, DELIVERIES), rows)
}

async function writeAll<T>(path: string, records: T[]): Promise<void> {
  const file = writeJsonLines<T>(path)
  for (const record of records) file.write(record)
  await file.end()
}
