// A person who answers the questions of a channel, as the page does.
import { expect } from 'vitest'
import type { FullDecision, FullDecisionList } from '../../shared/decision.ts'
import type { Account } from './account.ts'

type Answerer = Pick<Account, 'key' | 'session'>
export type Given = { button_id: string; comment?: string; values?: Record<string, unknown> }

/** The question that waits in the channel. There must be only one; waits until there is. */
export async function nextQuestion({ key }: Pick<Account, 'key'>, channel_id: string): Promise<FullDecision> {
  const list = `/channels/${channel_id}/decisions?state=waiting`
  const waiting = async () => (await key<FullDecisionList>('GET', list)).body.decisions
  await expect.poll(waiting, { interval: 20 }).toHaveLength(1)
  const [decision] = await waiting()
  if (!decision) throw new Error('the question has ended')
  return decision
}

/** Presses a choice by name. Throws if the press doesn't count. */
export async function answer(
  { key, session }: Answerer,
  { id, channel_id, card_id }: FullDecision,
  { button_id, comment, values }: Given,
): Promise<void> {
  const card = await key<{ updated_at: string }>('GET', `/channels/${channel_id}/cards/${card_id}`)
  const { status, body } = await session('POST', `/channels/${channel_id}/interactions`, {
    card_id,
    trigger: { type: 'button_click', button_id, decision_id: id, comment },
    values,
    seen: card.body.updated_at,
    as: 'me',
  })
  if (status !== 201) throw new Error(`the press returned ${status}: ${JSON.stringify(body)}`)
}

/** Waits for the next question and answers it. Returns what was asked. */
export async function answerNext(account: Answerer, channel_id: string, given: Given): Promise<FullDecision> {
  const decision = await nextQuestion(account, channel_id)
  await answer(account, decision, given)
  return decision
}
