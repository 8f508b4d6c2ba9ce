// A copy of the database takes its name. It has the same system identifier and timeline, so only its oid and its contents
// tell that it lacks commits.
import { until } from '../wait.ts'
import { countTurns, cutOff, DATABASE, LOST_TURNS, watchLosses } from './lost-history.ts'
import type { Begin, Bound, Stage } from './nemesis.ts'

export const restore: Begin<'restore'> = async stage => {
  const wal = await whileUnused(stage, [`create database copy template ${DATABASE}`])
  const before = await countTurns(stage)
  let lost = 0
  let bounds: Bound[] = []
  return {
    async end() {
      await until(async () => (await countTurns(stage)) >= before + LOST_TURNS, 'turns that will be lost')
      const notice = await watchLosses(stage.instances)
      await cutOff(stage)
      lost = (await countTurns(stage)) - before
      await whileUnused(stage, [
        `alter database ${DATABASE} rename to old`,
        `alter database copy rename to ${DATABASE}`,
      ])
      bounds = await notice()
    },
    evidence: () => (lost > 0 ? `the copy lacks ${lost} turns` : null),
    bounds: () => bounds,
    loss: () => ({ wal }),
  }
}

/** Returns the log's position afterwards. */
async function whileUnused({ instances, direct, postgres }: Stage, statements: string[]): Promise<string> {
  const links = [direct, ...instances.map(({ links }) => links.postgres)]
  const { admin } = postgres.current()
  for (const link of links) link.cut()
  await until(async () => {
    const others =
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${DATABASE}`
    return others.length === 0
  }, 'nobody is connected')
  for (const statement of statements) await admin.unsafe(statement)
  const [row] = await admin<{ wal: string }[]>`select pg_current_wal_lsn()::text as wal`
  for (const link of links) link.heal()
  return row?.wal ?? ''
}
