// A session of somebody else locks a channel's row of `documents`.
import { connect } from '../../../server/database/connect.ts'
import { type Begin, watchFor } from './nemesis.ts'

const LOOK_MS = 20

export const lockedRow: Begin<'locked row'> = async ({ direct, sql, scene }, { channel }) => {
  const channel_id = scene.channel_ids[channel] ?? ''
  const other = connect({ socket_dir: direct.socket_dir, database: 'feed' }, { max: 1 })
  let unlock = () => {}
  const until_unlocked = new Promise<void>(resolve => {
    unlock = resolve
  })
  let locked = () => {}
  const until_locked = new Promise<void>(resolve => {
    locked = resolve
  })
  const session = other.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from documents where channel_id = ${channel_id} for update`
    locked()
    await until_unlocked
  })
  await Promise.race([until_locked, session])
  const stopWatching = watchFor(
    LOOK_MS,
    () => sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  let waits = 0
  return {
    channel_id,
    async end() {
      waits = (await stopWatching()).length
      unlock()
      await session
      await other.end()
    },
    evidence: () => (waits > 0 ? `statements were seen waiting for the lock ${waits} times` : null),
  }
}
