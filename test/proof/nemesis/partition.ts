// A link that stalls, drops bytes, is slow or is cut, in one direction or both.
import { type Begin, instanceOf } from './nemesis.ts'

const SLOW = { kind: 'latency', ms: 100, jitter_ms: 100 } as const

export const partition: Begin<'partition'> = async (cluster, fault) => {
  const instance = instanceOf(cluster, fault)
  const link = instance.links[fault.link]
  if (!link) throw new Error(`${instance.name} has no link to ${fault.link}`)
  const before = { ...link.counts }
  const connections = link.connections
  if (fault.how === 'cut') link.cut()
  else link.set(fault.how === 'slow' ? SLOW : { kind: fault.how }, fault.way)
  return {
    end: async () => link.heal(),
    evidence() {
      const { counts } = link
      const effects = [
        ['reset', counts.reset - before.reset],
        ['refused', counts.refused - before.refused],
        ['bytes dropped', counts.dropped_bytes - before.dropped_bytes],
        ['bytes delayed', fault.how === 'slow' ? counts.held_bytes - before.held_bytes : 0],
        // A stalled link shows no count of its own: its open connections were held.
        ['connections held', fault.how === 'stall' ? connections : 0],
      ] as const
      const seen = effects.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`)
      return seen.length > 0 ? `${fault.link} of ${instance.name}: ${seen.join(', ')}` : null
    },
  }
}
