// Redis dies and starts again without data, or an instance talks to another Redis, which answers as well.
import { startRedis } from '../cluster/redis.ts'
import { until } from '../wait.ts'
import { type Begin, instanceOf } from './nemesis.ts'

export const redis: Begin<'redis'> = async (stage, fault) => {
  const server = stage.redis
  if (!server) throw new Error('the plan has no Redis')
  if (fault.how === 'killed') {
    const clients = await server.clients()
    const killed = server.process()
    killed.signal('SIGKILL')
    await killed.exited
    return {
      end: () => server.restart(),
      evidence: () => (clients > 1 ? `Redis died with ${clients} connections` : null),
    }
  }
  const { links, name } = instanceOf(stage, fault)
  const other = await startRedis(stage.supervisor, 'redis-2')
  const before = links.redis?.counts.reset ?? 0
  links.redis?.repoint({ port: other.port })
  let topics = 0
  return {
    async end() {
      // One of the harness' own, and at least one of the instance.
      topics = await other.topics()
      links.redis?.repoint({ port: server.port })
      await until(async () => (await server.clients()) > 1, `${name} is back at its Redis`)
      await other.stop()
    },
    evidence: () =>
      topics > 0 && (links.redis?.counts.reset ?? 0) > before
        ? `${name} had ${topics} topics at the other Redis`
        : null,
  }
}
