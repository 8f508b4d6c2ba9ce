// Removes decisions that ended long ago, and the names and comments that their cards still show.
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { EndQuestion } from './end-question.ts'

type Deps = { sql: Sql; log: Logger; endQuestion: EndQuestion }
type Old = { channel_id: string; owner_id: string; id: string; card_id: string | null; state: string }

const AT_ONCE = 500
/** Channels whose decisions stay until the next time, after an error. */
type Failed = Set<string>

export async function deleteOldDecisions(deps: Deps, days: number): Promise<void> {
  const failed: Failed = new Set()
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const old = await deps.sql<Old[]>`
      select q.channel_id, w.user_id as owner_id, q.id, q.card_id, q.state
      from decisions q join channels c on c.id = q.channel_id join workspaces w on w.id = c.workspace_id
      where q.ended_at < now() - ${days} * interval '1 day' and q.state <> 'waiting'
        and not q.channel_id = any(${[...failed]}::uuid[])
      order by q.ended_at limit ${AT_ONCE}`
    for (const decision of old) if (!failed.has(decision.channel_id)) await deleteOne(deps, decision, failed)
    found = old.length
  }
}

/** An error in one channel must not keep the decisions of others. */
async function deleteOne({ sql, log, endQuestion }: Deps, decision: Old, failed: Failed): Promise<void> {
  const { channel_id, id } = decision
  try {
    if (decision.state === 'decided') await forgetPerson(endQuestion, decision)
    // After that, so that an error or a crash leaves the row for the next time.
    await sql`delete from decisions where channel_id = ${channel_id} and id = ${id} and state <> 'waiting'`
  } catch (error) {
    failed.add(channel_id)
    log.warn({ err: error, channel_id }, 'could not delete an old decision')
  }
}

/** Clears the name and the comment in the card, if it still shows this decision. */
async function forgetPerson(
  endQuestion: EndQuestion,
  { id: decision_id, card_id, ...channel }: Old,
): Promise<void> {
  if (card_id === null) return
  await endQuestion({ ...channel, card_id, decision_id }, 'forget').catch(error => {
    // The channel was deleted meanwhile, and with it what its cards showed.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
}
