// A step of a rolling restart: SIGTERM of an instance behind a balancer, and its next start, with the present build.
import { until } from '../wait.ts'
import { type Begin, type Bound, instanceOf } from './nemesis.ts'

/** A drain of up to four seconds, and as long as docs/operations.md promises for the stop. */
const STOPPED_MS = 14_000

export const restart: Begin<'restart'> = async (stage, fault) => {
  const { balancer } = stage
  const { name, url, links, process, restart: start } = instanceOf(stage, fault)
  if (!balancer) throw new Error('this run has no balancer')
  const { connections } = links.front
  const began = performance.now()
  const stopped = process()
  if (fault.leave) balancer.leave?.(url)
  stopped.signal('SIGTERM')
  const bounds: Bound[] = []
  return {
    async end() {
      await stopped.exited
      const took_ms = Math.round(performance.now() - began)
      bounds.push({ promise: 'P16', what: `${name} ends after SIGTERM`, took_ms, limit_ms: STOPPED_MS })
      await start()
      if (fault.leave) balancer.use?.(url)
      await until(() => balancer.isReady?.(url) ?? true, `the balancer uses ${name} again`)
    },
    evidence: () => (connections > 0 ? `${name} stopped with ${connections} connections` : null),
    bounds: () => bounds,
  }
}
