// What a failover and a restore have in common: the database comes back without commits that it had acknowledged.
import { readMetric } from '../../support/metrics.ts'
import type { Instance } from '../cluster/instance.ts'
import { holdsWithin, until } from '../wait.ts'
import type { Bound, Stage } from './nemesis.ts'

export const DATABASE = 'feed'
/** At least so many turns are lost. */
export const LOST_TURNS = 50
/** P11. */
const NOTICED_MS = 10_000
const WAIT_MS = 30_000

/** Right after a failover, the harness' own connection may be a dead one. */
export async function askDatabase<T>(ask: () => Promise<T>): Promise<T> {
  let answers: T[] = []
  await until(async () => {
    answers = await ask().then(
      answer => [answer],
      () => [],
    )
    return answers.length > 0
  }, 'the database answers')
  const [answer] = answers
  if (answer === undefined) throw new Error('the wait ended with an answer')
  return answer
}

export const countTurns = ({ sql }: Stage): Promise<number> =>
  askDatabase(async () => {
    const [row] = await sql<{ turns: number }[]>`select count(*)::integer as turns from proof.log`
    return row?.turns ?? 0
  })

/** No instance reaches the database. Resolves when the tap has everything that was committed. */
export async function cutOff(stage: Stage): Promise<void> {
  const { instances, postgres, catchUp } = stage
  for (const { links } of instances) links.postgres.cut()
  await until(async () => {
    const active = await postgres.current().admin`
      select from pg_stat_activity
      where datname = ${DATABASE} and state <> 'idle' and query ~ 'insert into document_updates'`
    return active.length === 0
  }, 'no commit is under way')
  await catchUp()
}

const readLosses = (instances: Instance[]) =>
  Promise.all(
    instances.map(async instance => {
      const url = instance.direct_url()
      return { instance, losses: await readMetric({ url }, 'channel_feed_lost_histories_total') }
    }),
  )

/** Call it before the loss. The returned function measures, from its call, how long each instance takes to notice it. */
export async function watchLosses(instances: Instance[]): Promise<() => Promise<Bound[]>> {
  const before = await readLosses(instances)
  return () => {
    const began = performance.now()
    return Promise.all(
      before.map(async ({ instance, losses }) => {
        const noticed = await holdsWithin(WAIT_MS, async () => {
          const url = instance.direct_url()
          const now = await readMetric({ url }, 'channel_feed_lost_histories_total').catch(() => 0)
          return now > losses
        })
        const took_ms = noticed ? Math.round(performance.now() - began) : null
        return { promise: 'P11', what: `${instance.name} notices the loss`, took_ms, limit_ms: NOTICED_MS }
      }),
    )
  }
}
