// The viewers of the run are stopped or away. Or a crowd beside them reads nothing or slowly, ignores that the stopping
// instance asks it to leave, asks for the document without end, or all return at once.
import type { Instance } from '../cluster/instance.ts'
import type { Fault, ViewerTrouble } from '../faults.ts'
import type { Crowd } from '../load/crowd.ts'
import { startRemote } from '../load/remote.ts'
import { beAway } from './away.ts'
import { type Begin, type Bound, instanceOf, type Ongoing, type Stage } from './nemesis.ts'
import { pauseAll } from './pause.ts'

const CROWD: Record<ViewerTrouble, number> = {
  'stop reading': 100,
  'read slowly': 100,
  'ignore closes': 50,
  flood: 20,
  'return at once': 500,
}
/** As docs/operations.md promises. */
const STOPPED_MS = 10_000

export const viewers: Begin<'viewers'> = async (stage, fault) => {
  switch (fault.how) {
    case 'away':
      return beAway(stage)
    case 'paused':
      return pauseAll(
        'the viewers',
        stage.viewers.process,
        stage.instances.map(({ links }) => links.front),
      )
    default:
      return misbehave(stage, fault)
  }
}

type OfCrowd = Extract<Fault, { kind: 'viewers'; how: ViewerTrouble }>

async function misbehave(stage: Stage, fault: OfCrowd): Promise<Ongoing> {
  const { how, channel } = fault
  const instance = instanceOf(stage, fault)
  const { url, name } = instance
  const crowd = await startRemote<Crowd>(stage.supervisor, 'crowd')
  const channel_id = stage.scene.channel_ids[channel] ?? ''
  const opened = await crowd.call('open', {
    how,
    viewers: CROWD[how],
    url: `${url.replace('http', 'ws')}/sync/${channel_id}?token=${stage.scene.api_key}`,
  })
  let effect: string | null = null
  const bounds: Bound[] = []
  return {
    async end() {
      if (how === 'ignore closes') bounds.push(await stop(instance))
      effect = await crowd.call('end', null)
      await crowd.process.kill()
      if (how === 'ignore closes') await instance.restart()
    },
    evidence: () => (effect === null ? null : `${opened} viewers of ${name}: ${effect}`),
    bounds: () => bounds,
  }
}

async function stop({ name, process }: Instance): Promise<Bound> {
  const began = performance.now()
  const stopped = process()
  stopped.signal('SIGTERM')
  await stopped.exited
  const took_ms = Math.round(performance.now() - began)
  const what = `${name} ends after SIGTERM, with viewers that ignore it`
  return { promise: 'P16', what, took_ms, limit_ms: STOPPED_MS }
}
