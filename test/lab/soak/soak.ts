// Three instances under a steady load for hours, sampled all the time: does anything grow?
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { KEEP_ALIVE_MS } from '../../../server/http-server.ts'
import { type Supervisor, startSupervisor } from '../../proof/cluster/supervisor.ts'
import { type Remote, startRemote } from '../../proof/load/remote.ts'
import { commitOf, machineOf } from '../../proof/outcome.ts'
import { type JsonLines, now, writeJsonLines } from '../../proof/records.ts'
import { within } from '../../proof/wait.ts'
import { createChannels, type Measured, startMeasured } from '../measured/measured.ts'
import { planSoak, type SoakLoad, type SoakPlan } from './plan.ts'
import type { SoakPosters } from './posters.ts'
import { receiverPath, type SoakReceiver } from './receiver.ts'
import { ABOUT, type About, readSoak, SAMPLES } from './report.ts'
import { latencyOf, probeEnvironment, type Sample, sampleDatabase, sampleInstance } from './samples.ts'
import type { SoakViewers } from './viewers.ts'

const INSTANCES = 3
const REHEARSAL_MS = 15_000
/** Everything that belongs to viewers and requests must be gone after this long. */
const AFTER_MS = 60_000
/** The service closes the connections over which the channels were created after KEEP_ALIVE_MS. */
const SPARE_MS = 5_000
const OPEN_MS = 5 * 60_000
/** For start, channels, and the samples' own time. */
const EXTRA_MS = 10 * 60_000
const STOP_MS = 30_000

export type SoakOptions = { duration: string; folder: string; build: string; again: boolean }

/** Returns the exit code: 0 if nothing grows, 1 if something does, 2 if the run was too short to tell. */
export async function soak({ duration, folder, build, again }: SoakOptions): Promise<number> {
  const plan = planSoak(duration)
  if (!again) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const about: About = { duration, at: new Date().toISOString(), commit: commitOf(), machine: machineOf() }
    await writeFile(join(folder, ABOUT), JSON.stringify(about))
    const supervisor = await startSupervisor(folder)
    let measured: Measured | undefined
    const samples = writeJsonLines<Sample>(join(folder, SAMPLES))
    try {
      const env = (name: string) => probeEnvironment(folder, name)
      measured = await startMeasured({ supervisor, instances: INSTANCES, bus: 'redis', build, env })
      const work = carryOut(plan, measured, { supervisor, folder, samples })
      await within(2 * plan.duration_ms + EXTRA_MS, work, 'the soak ends')
    } finally {
      await measured?.end()
      await supervisor.end()
      await samples.end()
    }
  }
  const { judged, figures } = await readSoak(folder)
  for (const line of figures) console.log(`  ${line}`)
  for (const { name, verdict, figure, limit } of judged)
    console.log(`${verdict.toUpperCase()} ${name}: ${figure}; limit ${limit}`)
  const verdicts = judged.map(({ verdict }) => verdict)
  return verdicts.includes('fail') ? 1 : verdicts.includes('inconclusive') ? 2 : 0
}

type Run = { supervisor: Supervisor; folder: string; samples: JsonLines<Sample> }

async function carryOut(plan: SoakPlan, measured: Measured, run: Run): Promise<void> {
  const { supervisor } = run
  const { load } = plan
  const { instances } = measured
  const receiver = await startRemote<SoakReceiver>(
    supervisor,
    'receiver',
    new URL('receiver.ts', import.meta.url),
  )
  const port = await receiver.call('open', null)
  const ports = instances.map(({ links }) => links.front.port)
  const fields = (n: number) => ({
    mode: 'interactive',
    webhook_url: `http://127.0.0.1:${port}/${receiverPath(n, load.channels)}`,
  })
  const channels = await createChannels(instances[0]?.url ?? '', load.channels, fields)
  const target = { ports, ...channels }
  await rehearse({ ...target, load }, supervisor)
  await delay(KEEP_ALIVE_MS + SPARE_MS)
  await look('before', measured, run)

  const [posters, viewers, stock] = await Promise.all([
    startRemote<SoakPosters>(supervisor, 'posters', new URL('posters.ts', import.meta.url)),
    startRemote<SoakViewers>(supervisor, 'viewers', new URL('viewers.ts', import.meta.url)),
    startRemote<SoakViewers>(supervisor, 'stock-viewers', new URL('viewers.ts', import.meta.url)),
  ])
  await posters.call('start', { ...target, rates: load.rates })
  const { bare, stock_3, stock_2 } = load.viewers
  const few = { bare, stock_3: 0, stock_2: 0, streams: load.streams, joins: load.rates.join }
  const many = { bare: 0, stock_3, stock_2, streams: 0, joins: 0 }
  const opening = [
    viewers.call('open', { ...target, counts: few }),
    stock.call('open', { ...target, counts: many }),
  ]
  await within(OPEN_MS, Promise.all(opening), 'the viewers join')
  await Promise.all([
    loadAndLook(plan, measured, { ...run, posters, viewers }),
    restarting(plan, measured, run),
  ])

  // All their connections end with them.
  await Promise.all([posters, viewers, stock].map(({ process }) => process.kill()))
  await delay(AFTER_MS)
  await look('after', measured, run)
}

type Target = { ports: number[]; api_key: string; channel_ids: string[]; load: SoakLoad }

/** Pools open when they are first needed, so that an idle service after the load has more connections than a new one. */
async function rehearse({ load, ...target }: Target, supervisor: Supervisor): Promise<void> {
  const [posters, viewers] = await Promise.all([
    startRemote<SoakPosters>(supervisor, 'rehearsal-posters', new URL('posters.ts', import.meta.url)),
    startRemote<SoakViewers>(supervisor, 'rehearsal-viewers', new URL('viewers.ts', import.meta.url)),
  ])
  await posters.call('start', { ...target, rates: load.rates })
  const counts = { ...load.viewers, stock_3: 0, stock_2: 0, streams: load.streams, joins: 0 }
  await within(OPEN_MS, viewers.call('open', { ...target, counts }), 'the viewers of the rehearsal join')
  await delay(REHEARSAL_MS)
  await Promise.all([posters, viewers].map(({ process }) => process.kill()))
}

type Loading = Run & { posters: Remote<SoakPosters>; viewers: Remote<SoakViewers> }

async function loadAndLook(plan: SoakPlan, measured: Measured, run: Loading): Promise<void> {
  const { posters, viewers, samples } = run
  const begin = performance.now()
  for (let n = 1; n * plan.sample_ms <= plan.duration_ms; n++) {
    await delay(Math.max(0, begin + n * plan.sample_ms - performance.now()))
    const [posted, seen] = await Promise.all([posters.call('report', null), viewers.call('report', null)])
    samples.write({
      at: now(),
      moment: 'load',
      kind: 'clients',
      post: latencyOf(posted.latencies),
      seen: latencyOf(seen.latencies),
      connected: seen.connected,
      failed: posted.failed,
      done: posted.done,
    })
    if (posted.reasons.length > 0) console.log(`  failed: ${posted.failed}, such as ${posted.reasons[0]}`)
    await look('load', measured, run)
  }
}

async function look(
  moment: Sample['moment'],
  { instances, sql }: Measured,
  { folder, samples }: Run,
): Promise<void> {
  for (const instance of instances) {
    const sample = await sampleInstance(folder, instance)
    if (sample) samples.write({ moment, ...sample })
  }
  samples.write({ at: now(), moment, kind: 'database', ...(await sampleDatabase(sql)) })
}

/** Alternates between SIGKILL and SIGTERM, on the last instance. */
async function restarting(plan: SoakPlan, { instances }: Measured, { samples }: Run): Promise<void> {
  const instance = instances.at(-1)
  if (!instance) return
  const begin = performance.now()
  for (let n = 1; n * plan.restart_ms < plan.duration_ms; n++) {
    await delay(Math.max(0, begin + n * plan.restart_ms - performance.now()))
    const how = n % 2 === 1 ? 'SIGKILL' : 'SIGTERM'
    const running = instance.process()
    running.signal(how)
    await within(STOP_MS, running.exited, `${instance.name} ends`)
    await instance.restart()
    samples.write({ at: now(), moment: 'load', kind: 'restart', instance: instance.name, how })
  }
}
