// Instances on one database whose clocks tests move together: what takes minutes then takes a moment.
import { afterAll } from 'vitest'
import { LOOK_TIMES } from '../../server/decisions/look-times.ts'
import { setForConnections, takeAway } from './database.ts'
import { runDatabase, runService } from './running.ts'
import { startTestService, type TestService } from './service.ts'
import { until } from './viewer.ts'

export type MovedClock = Awaited<ReturnType<typeof runWithMovedClock>>

/** From now on, the time of new connections is ahead by what the table says, and by what they have as a setting. */
const MOVABLE = `
  create table public.moved_clock as select interval '0' as ahead;
  create function public.now() returns timestamptz stable language sql as $$
    select pg_catalog.now() + (select ahead from public.moved_clock)
      + coalesce(current_setting('moved.ahead', true), '0')::interval
  $$;`

export async function runWithMovedClock(env: Record<string, string> = {}) {
  // A clock that jumps looks like a database that was away.
  const { unreachable } = LOOK_TIMES
  LOOK_TIMES.unreachable = Number.POSITIVE_INFINITY
  afterAll(() => Object.assign(LOOK_TIMES, { unreachable }))
  const database = await runDatabase()
  const { sql, target } = database
  // PostgreSQL searches pg_catalog first unless the search path names it later.
  await sql.unsafe(`${MOVABLE} alter database ${target.database} set search_path = public, pg_catalog;`)
  let ahead_s = 0
  /** Of these, how many the table doesn't have. */
  let away_s = 0
  const elapsed = () => performance.now() + ahead_s * 1_000
  /** While `work` runs, outages are noticed. */
  const noticing = async (work: () => Promise<unknown>) => {
    LOOK_TIMES.unreachable = unreachable
    await work()
    LOOK_TIMES.unreachable = Number.POSITIVE_INFINITY
  }
  /** So much time passes at once. */
  const jump = async (seconds: number) => {
    ahead_s += seconds
    await sql`update public.moved_clock set ahead = ${ahead_s - away_s} * interval '1 second'`
  }
  return {
    database,
    noticing,
    run: () => runService(env, { database, elapsed }),
    /** The test stops it. */
    launch: () => startTestService(env, { database, elapsed }),

    /** Only the database's clock. */
    async setDatabaseBack(seconds: number): Promise<void> {
      away_s += seconds
      await sql`update public.moved_clock set ahead = ${ahead_s - away_s} * interval '1 second'`
    },

    /** The database is away for so long, and these instances notice it afterwards. */
    async passWithout(seconds: number, instances: TestService[]): Promise<void> {
      const giveBack = await takeAway(database)
      ahead_s += seconds
      away_s += seconds
      await setForConnections(database, 'moved.ahead', `${away_s} seconds`)
      await noticing(async () => {
        await giveBack()
        await until(() => instances.every(({ looks }) => !looks.trusted), 'the outage is noticed')
      })
    },

    /** What these instances do meanwhile every second and every five seconds. `each` runs after every second. */
    async pass(seconds: number, instances: TestService[], each: () => unknown = () => {}): Promise<void> {
      for (let passed = 0; passed < seconds; passed++) {
        await jump(1)
        for (const { looks, abandonment } of instances) {
          if (ahead_s % (LOOK_TIMES.every / 1_000) === 0) await looks.renew()
          await abandonment.sweep()
        }
        await each()
      }
    },
    jump,
  }
}
