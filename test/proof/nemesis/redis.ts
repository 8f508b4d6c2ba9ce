// Redis dies and starts again without data, is stopped, loses its master, or moves slots; or an instance talks to another
// Redis, which answers as well.
import { freePort } from '../../support/ports.ts'
import { type RedisServer, startRedis } from '../cluster/redis.ts'
import { holdsWithin, until } from '../wait.ts'
import { type Begin, instanceOf, type Ongoing, type Stage } from './nemesis.ts'
import { pauseAll } from './pause.ts'

const HEARD_MS = 5_000

export const redis: Begin<'redis'> = async (stage, fault) => {
  switch (fault.how) {
    case 'killed':
      return die(serverOf(stage))
    case 'paused':
      return pauseAll('Redis', serverOf(stage).process(), linksTo(stage))
    case 'demoted':
      return demote(serverOf(stage))
    case 'slots moved':
      return moveSlots(stage)
    case 'split':
      return split(stage, fault)
  }
}

function serverOf({ redis }: Stage): RedisServer {
  if (!redis) throw new Error('the plan has no Redis')
  return redis
}

const linksTo = ({ instances }: Stage) => instances.flatMap(({ links }) => links.redis ?? [])

async function die(server: RedisServer): Promise<Ongoing> {
  const clients = await server.clients()
  const killed = server.process()
  killed.signal('SIGKILL')
  await killed.exited
  return {
    end: () => server.restart(),
    evidence: () => (clients > 1 ? `Redis died with ${clients} connections` : null),
  }
}

/** It becomes a replica of a server that is not there, and refuses what such a replica may not answer. */
async function demote({ client, refused }: RedisServer): Promise<Ongoing> {
  const before = await refused()
  await client.config('SET', 'replica-serve-stale-data', 'no')
  await client.replicaof('127.0.0.1', await freePort())
  let commands = 0
  return {
    async end() {
      commands = (await refused()) - before
      await client.replicaof('NO', 'ONE')
    },
    evidence: () => (commands > 0 ? `the demoted Redis refused ${commands} commands of the instances` : null),
  }
}

async function moveSlots({ redis_cluster }: Stage): Promise<Ongoing> {
  if (!redis_cluster) throw new Error('the plan has no Redis cluster')
  const heard = await redis_cluster.moveTopics()
  let topics = 0
  return {
    async end() {
      await holdsWithin(HEARD_MS, async () => {
        topics = await heard()
        return topics > 0
      })
    },
    evidence: () => (topics > 0 ? `${topics} topics are heard where their slots went` : null),
  }
}

async function split(stage: Stage, fault: { instance: number }): Promise<Ongoing> {
  const server = serverOf(stage)
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
