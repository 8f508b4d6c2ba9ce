// SIGKILL of an instance, which starts again at the end.
import { type Begin, instanceOf } from './nemesis.ts'

export const kill: Begin<'kill'> = async (cluster, fault) => {
  const instance = instanceOf(cluster, fault)
  const connections = instance.links.front.connections
  const killed = instance.process()
  killed.signal('SIGKILL')
  await killed.exited
  return {
    end: () => instance.restart(),
    evidence: () => (connections > 0 ? `${instance.name} died with ${connections} connections` : null),
  }
}
