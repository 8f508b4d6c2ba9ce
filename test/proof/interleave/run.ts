// Carries out a plan in the order that the scheduler chooses: work and faults, then the heal, then nothing but time.
import type { Scheduler } from 'fast-check'
import type { Finding } from '../check/files.ts'
import { findingsOf } from './check.ts'
import type { Database } from './database.ts'
import { Faults } from './faults.ts'
import { Instance } from './instance.ts'
import { INSTANCES, type Incident, type Plan } from './plan.ts'
import { post } from './posters.ts'
import { instanceAt, type Scene, turnKey } from './scene.ts'
import { Steps } from './steps.ts'
import { WatchingDocument } from './viewer.ts'

/** P6: viewers are complete so long after the heal. */
const CONVERGED_SECONDS = 10
const SECOND = 1_000

export type Interleaving = { plan: Plan; scheduler: Scheduler }

/** `felt`: the faults that took effect, and how commits ended. */
export type Run = { findings: Finding[]; trace: string[]; felt: string[] }

export async function run({ plan, scheduler }: Interleaving, database: Database): Promise<Run> {
  const scene = await createScene(plan, new Steps(scheduler), database)
  const { steps, findings } = scene
  const viewers = plan.viewers.map((_, n) => new WatchingDocument(scene, n))
  for (const [n, first] of plan.viewers.entries()) void viewers[n]?.watch(first)
  let posting = plan.posters.length
  for (const [n, operations] of plan.posters.entries())
    void post(scene, n, operations).finally(() => {
      posting--
    })

  await withIncidents(scene, viewers)
  if (posting > 0) findings.push({ promise: 'P14', message: `${posting} posters got no answer` })
  await heal(scene)
  const found = await findingsOf(scene, viewers)
  for (const instance of scene.instances) instance.crash(false)
  return { findings: found, trace: steps.trace, felt: scene.felt }
}

async function createScene(plan: Plan, steps: Steps, database: Database): Promise<Scene> {
  const channel_id = await database.createChannel()
  const log = await database.sql<{ client_id: number; clock: number }[]>`
    select client_id, clock from documents where channel_id = ${channel_id}`
  let ticks = 0
  const scene: Scene = {
    plan,
    database,
    channel_id,
    steps,
    faults: new Faults(plan.faults),
    instances: [],
    elapsed: 0,
    committed: new Set(log.map(({ client_id, clock }) => turnKey(client_id, clock))),
    cards: [],
    tried: [],
    heads: [],
    seen: [],
    findings: [],
    felt: [],
    tick: () => ++ticks,
  }
  for (let i = 0; i < INSTANCES; i++) scene.instances.push(new Instance(scene, `instance ${i}`))
  return scene
}

/** Until nothing waits any more. */
async function withIncidents(scene: Scene, viewers: WatchingDocument[]): Promise<void> {
  const { steps, plan } = scene
  const left = [...plan.incidents].sort((a, b) => a.after - b.after)
  await steps.settle()
  for (;;) {
    const [next] = left
    const due = next !== undefined && next.after <= steps.count
    if (!due && (await steps.next())) continue
    if (!next) return
    left.shift()
    begin(next, scene, viewers)
    await steps.settle()
  }
}

function begin(incident: Incident, scene: Scene, viewers: WatchingDocument[]): void {
  const { steps, instances } = scene
  steps.trace.push(`* ${JSON.stringify(incident)}`)
  if ('viewer' in incident) return viewers[incident.viewer]?.[incident.kind]()
  scene.felt.push(incident.kind)
  const instance = instanceAt(scene, incident.instance)
  switch (incident.kind) {
    case 'crash':
      instances[incident.instance] = new Instance(scene, `${instance.name}'`)
      instance.crash(incident.sent)
      for (const viewer of viewers) viewer.cut(instance)
      return
    case 'deaf':
      return instance.deafen(incident.noticed)
    case 'time':
      scene.elapsed += incident.ms
      return instance.doPeriodicWork()
  }
}

/** From now on nothing goes wrong, and nothing is written. */
async function heal(scene: Scene): Promise<void> {
  const { steps, instances } = scene
  steps.trace.push('* heal')
  scene.faults.heal()
  for (const instance of instances) instance.hearAgain()
  await steps.untilRest()
  for (let seconds = 0; seconds < CONVERGED_SECONDS; seconds++) {
    scene.elapsed += SECOND
    for (const instance of instances) instance.doPeriodicWork()
    await steps.untilRest()
  }
}
