// Decides, expires, withdraws and forgets decisions: each is a write in the channel's turn, with its interaction.
import { randomUUID } from 'node:crypto'
import { type CardStateEntry, cardState } from '../../shared/card-state.ts'
import type { Interaction } from '../../shared/interaction.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { DecisionRecord } from '../feed/decision-rows.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Mutation, Outcome } from '../feed/mutation.ts'
import type { MutationRequest } from '../feed/mutation-queue.ts'
import { Overdue } from '../feed/turn-decisions.ts'
import { logInteraction, type NewInteraction } from './interactions.ts'
import { judgePress, type Press, refusalOf } from './pressing.ts'

export type OwnedChannel = { id: string; owner_id: string }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type PressedInteraction = Omit<Interaction, 'card_state'> & { card_state: CardStateEntry[] | null }
type Ended = Extract<Outcome, { kind: 'ended' }>

/** The id belongs to an interaction already. Its first result is the answer. */
export class InteractionTaken extends Error {
  override name = 'InteractionTaken'
}

/** Resolves when the press is durable; rejects if it doesn't count. */
export async function writePress(
  feeds: Feeds,
  { id: channel_id, owner_id }: OwnedChannel,
  card_id: string,
  press: Press,
): Promise<{ interaction: PressedInteraction; record: DecisionRecord | null }> {
  const { interaction_id, timestamp, by } = press
  const interactionOf = ({ logged, decided }: Extract<Outcome, { kind: 'pressed' }>): NewInteraction => ({
    interaction_id,
    channel_id,
    timestamp,
    ...logged,
    user_id: by.kind === 'person' ? by.user_id : null,
    anonymous: isAnonymous(press, decided),
    decision_id: decided && decided.decision.id,
    agent: by.kind === 'agent' ? by : null,
  })
  const outcome = await feeds.write(channel_id, {
    mutation: {
      kind: 'press',
      card_id,
      decision_id: press.decision_id !== null && UUID.test(press.decision_id) ? press.decision_id : null,
      judge: at => judgePress(press, at),
    },
    owner_id,
    also: async (tx, outcome) => {
      if (outcome.kind === 'pressed') await logOnce(tx, interactionOf(outcome))
    },
  })
  if (outcome.kind !== 'pressed') throw new Error(`a press ended as ${outcome.kind}`)
  const { card_id: on_card, trigger, card_state } = outcome.logged
  return {
    interaction: { interaction_id, channel_id, card_id: on_card, timestamp, trigger, card_state },
    record: outcome.decided,
  }
}

function isAnonymous({ by }: Press, decided: DecisionRecord | null): boolean {
  if (by.kind === 'agent') return true
  const decided_by = decided?.decision.outcome?.by
  return decided_by ? decided_by.kind === 'anonymous' : by.user_id === null || !by.named
}

async function logOnce(tx: Transaction, interaction: NewInteraction): Promise<void> {
  if (!(await logInteraction(tx, interaction))) throw new InteractionTaken()
}

/** Writes that the question has expired. Returns false if it doesn't wait any more, or has time left. */
export async function expireDecision(
  feeds: Feeds,
  channel: OwnedChannel,
  card_id: string,
  decision_id: string,
): Promise<boolean> {
  const interaction_id = randomUUID()
  const log = async (tx: Transaction, { card, record }: Ended) => {
    const timestamp = record?.decision.ended_at
    if (!card || !record || !timestamp) return
    await logOnce(tx, {
      interaction_id,
      channel_id: channel.id,
      card_id,
      timestamp,
      trigger: { type: 'decision_expired', block_id: record.block_id },
      card_state: cardState(card.blocks, new Map()),
      user_id: null,
      anonymous: true,
      decision_id,
    })
  }
  return (await end(feeds, channel, { kind: 'end', how: 'expire', card_id, decision_id }, log)).changed
}

/** Cancels a waiting question, and returns its record. An ended one stays as it is; a decided one throws 409. */
export async function withdrawDecision(
  feeds: Feeds,
  channel: OwnedChannel,
  record: DecisionRecord,
  { expired, shown }: { expired: () => void; shown: (record: DecisionRecord) => object },
): Promise<DecisionRecord> {
  const { card_id, decision } = record
  if (decision.state !== 'waiting' || card_id === null) return withdrawn(record, shown)
  const mutation = { kind: 'end', how: 'withdraw', card_id, decision_id: decision.id } as const
  const ended = await afterExpiry(feeds, channel, expired, () => end(feeds, channel, mutation))
  const after = ended.record ?? record
  return ended.changed ? after : withdrawn(after, shown)
}

function withdrawn(record: DecisionRecord, shown: (record: DecisionRecord) => object): DecisionRecord {
  if (record.decision.state === 'decided') throw refusalOf(record.decision, shown(record))
  return record
}

/** Clears the name and the comment of an answer that is past retention, and deletes its row. */
export async function forgetDecision(
  feeds: Feeds,
  channel: OwnedChannel,
  card_id: string,
  decision_id: string,
): Promise<void> {
  await end(feeds, channel, { kind: 'end', how: 'forget', card_id, decision_id }, async tx => {
    await tx`delete from decisions where channel_id = ${channel.id} and id = ${decision_id}`
  })
}

async function end(
  feeds: Feeds,
  { id, owner_id }: OwnedChannel,
  mutation: Extract<Mutation, { kind: 'end' }>,
  log?: (tx: Transaction, outcome: Ended) => Promise<void>,
): Promise<Ended> {
  const request: MutationRequest = { mutation, owner_id }
  if (log)
    request.also = async (tx, outcome) => {
      if (outcome.kind === 'ended') await log(tx, outcome)
    }
  const outcome = await feeds.write(id, request)
  if (outcome.kind !== 'ended') throw new Error(`the end of a decision ended as ${outcome.kind}`)
  return outcome
}

const EXPIRIES_MAX = 100

/** Runs `write`. If a question's deadline has passed, its expiry is written first. */
export async function afterExpiry<T>(
  feeds: Feeds,
  channel: OwnedChannel,
  expired: () => void,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof Overdue) || tries === EXPIRIES_MAX) throw error
      if (await expireDecision(feeds, channel, error.card_id, error.decision_id)) expired()
    }
  }
}

const FORGOTTEN_AT_ONCE = 500

/** The card was deleted meanwhile, and with it what it showed. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

/** Removes questions that ended more than `days` ago, and clears names and comments of their answers in cards. */
export async function deleteOldDecisions(sql: Sql, feeds: Feeds, days: number): Promise<void> {
  type Old = OwnedChannel & { decision_id: string; card_id: string | null; state: string }
  for (let found = FORGOTTEN_AT_ONCE; found === FORGOTTEN_AT_ONCE; ) {
    const old = await sql<Old[]>`
      select c.id, w.user_id as owner_id, q.id as decision_id, q.card_id, q.state
      from decisions q join channels c on c.id = q.channel_id join workspaces w on w.id = c.workspace_id
      where q.ended_at < now() - ${days} * interval '1 day' order by q.ended_at limit ${FORGOTTEN_AT_ONCE}`
    for (const { id, owner_id, decision_id, card_id, state } of old) {
      if (state === 'decided' && card_id !== null)
        await forgetDecision(feeds, { id, owner_id }, card_id, decision_id).catch(ignoreDeleted)
      // A question that isn't on its card any more has only its row.
      await sql`
        delete from decisions where channel_id = ${id} and id = ${decision_id} and state <> 'waiting'`
    }
    found = old.length
  }
}
