// The primary dies and a standby takes over. An asynchronous one lacks at least 50 turns, because the link to it dropped
// them; a synchronous one lacks nothing.
import { type Link, postgresAt, startLink } from '../net/link.ts'
import { until } from '../wait.ts'
import { askDatabase, countTurns, cutOff, LOST_TURNS, watchLosses } from './lost-history.ts'
import { type Begin, type Bound, instanceOf, type Stage } from './nemesis.ts'

export const failover: Begin<'failover'> = async (stage, fault) => {
  const { synchronous, unsettled, restarted } = fault
  const { postgres, instances } = stage
  const replication = await startLink(postgresAt(postgres.current().socket_dir), 'socket')
  const standby = await postgres.startStandby(replication.socket_dir)
  await standby.caughtUp()
  if (synchronous) await standby.makeSynchronous()
  else replication.set({ kind: 'drop' }, 'down')
  const before = await countTurns(stage)
  const left = unsettled === undefined ? null : instanceOf(stage, { instance: unsettled })
  const started = restarted === undefined ? null : instanceOf(stage, { instance: restarted })
  const others = instances.filter(instance => instance !== left && instance !== started)
  const effects: string[] = []
  let lacks = 0
  let wal: string | null = null
  const bounds: Bound[] = []

  return {
    async end() {
      await until(async () => (await countTurns(stage)) >= before + LOST_TURNS, 'turns on the old primary')
      const notice = await watchLosses(others)
      if (left) {
        await loseOneAnswer(left.links.postgres)
        effects.push(`${left.name} lost the answer to a commit`)
      }
      await started?.kill()
      if (!synchronous) {
        await cutOff(stage)
        wal = await standby.lastWal()
      }
      const turns = await countTurns(stage)
      await postgres.current().kill()
      await standby.promote()
      const target = postgresAt(standby.socket_dir)
      stage.direct.repoint(target)
      const survived = await countTurns(stage)
      lacks = turns - survived
      effects.push(`the standby lacks ${lacks} of ${turns} turns`)
      for (const { links } of others) links.postgres.repoint(target)
      const noticed = notice()
      if (started) {
        const generation = await readGeneration(stage)
        if (!(await isBeforeCheckpoint(stage)))
          throw new Error('the first checkpoint ended before the instance started')
        started.links.postgres.repoint(target)
        await started.restart()
        bounds.push(await raisedAtStart(stage, generation))
        effects.push(`${started.name} started before the first checkpoint`)
      }
      if (left) {
        await until(() => haveNewEpochs(stage), 'the others have begun new epochs')
        left.links.postgres.repoint(target)
        left.links.postgres.heal()
      }
      bounds.push(...(await noticed))
      await replication.end()
    },
    evidence: () => (effects.length > 0 && (synchronous || lacks > 0) ? effects.join(', ') : null),
    bounds: () => bounds,
    loss: () => ({ wal }),
  }
}

/** Then the instance is out of reach. */
async function loseOneAnswer(link: Link): Promise<void> {
  const before = link.counts.lost_answers
  link.loseAnswers(true)
  await until(() => link.counts.lost_answers > before, 'the answer to a commit is lost')
  link.cut()
}

const readGeneration = ({ sql }: Stage): Promise<number> =>
  askDatabase(async () => {
    const [row] = await sql<{ generation: number }[]>`select generation from database_generation`
    return row?.generation ?? 0
  })

/** Until then, the control file names the old timeline. */
const isBeforeCheckpoint = ({ sql }: Stage): Promise<boolean> =>
  askDatabase(async () => {
    const [row] = await sql<{ old: boolean }[]>`
      select timeline_id < ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as old
      from pg_control_checkpoint()`
    return row?.old ?? false
  })

/** The instance is ready now, so it must have noticed the loss. */
async function raisedAtStart(stage: Stage, before: number): Promise<Bound> {
  const raised = (await readGeneration(stage)) > before
  const what = 'an instance that starts right after a promotion begins a new generation before it is ready'
  return { promise: 'P11', what, took_ms: raised ? 0 : null, limit_ms: 0 }
}

/** Of all channels that have viewers. */
async function haveNewEpochs({ sql, scene }: Stage): Promise<boolean> {
  const watched = scene.plan.watches.map(({ channel }) => scene.channel_ids[channel] ?? '')
  const old = await sql`select from documents where channel_id = any(${watched}::uuid[]) and epoch = 0`
  return old.length === 0
}
