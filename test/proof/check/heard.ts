// When the event streams of an instance heard something: then the instance knew it, and had to tell others soon, however slow
// the machine is. The process that listens also has the workspace pages, so its own delays count for both.
import { groupBy } from '../group.ts'
import type { Heard } from '../load/streams.ts'
import { byChannel, type Files } from './files.ts'
import { slownessIn } from './machine.ts'

/** A busy machine slows the instance too, but not as much as it slows what waits for several processes. */
const SLOW_MAX = 1.6

type Timed = Pick<Files, 'marks' | 'machine'>

/** Infinity if it is unknown. */
type HeardAt = (channel_id: string, instance: number, matches: (one: Heard) => boolean) => number

export function heardBy({ heard, marks }: Pick<Files, 'heard' | 'marks'>): HeardAt {
  // Behind a balancer, nobody knows which instance a stream is connected to.
  if (marks.some(mark => mark.kind === 'fault' && mark.fault.kind === 'restart')) return () => Infinity
  const streams = new Map(
    [...byChannel(heard)].map(([channel_id, all]) => {
      const ofChannel = [...groupBy(all, ({ stream }) => stream)].sort(([a], [b]) => a - b)
      return [channel_id, ofChannel.map(([, records]) => records)] as const
    }),
  )
  return (channel_id, instance, matches) => streams.get(channel_id)?.[instance]?.find(matches)?.at ?? Infinity
}

/** Until when the instance must have told others. Infinity if a fault may have kept it from that. */
export function soonAfter(at: number, { marks, machine }: Timed, calm_s: number): number {
  if (at === Infinity) return Infinity
  const limit = at + calm_s * 1e6 * Math.min(SLOW_MAX, slownessIn({ machine }, at, at + calm_s * 1e6))
  const disturbed = marks.some(mark => mark.kind === 'fault' && mark.at < limit && mark.ended > at)
  return disturbed ? Infinity : limit
}
