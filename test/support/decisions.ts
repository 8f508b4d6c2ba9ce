// Cards that ask, and requests that wait for the answer.
import type { Card } from '../../shared/card.ts'
import type { Decision, FullDecision } from '../../shared/decision.ts'
import { type Answer, type Call, create } from './service.ts'

export const question = (decision: object = {}) => [
  { type: 'text', id: 'title', content: 'Roll out?' },
  { type: 'input', id: 'note', label: 'Note' },
  {
    type: 'button',
    id: 'ask',
    buttons: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No', style: 'danger' },
    ],
    decision,
  },
]

export type Asked = { card_id: string; id: string; path: string }

/** Pushes a card that asks. `path`: of its decision. */
export async function ask(call: Call, channel_id: string, decision: object = {}): Promise<Asked> {
  const cards = `/channels/${channel_id}/cards`
  const body = { blocks: question(decision) }
  const created = await create<{ id: string; decisions: { id: string }[] }>(call, cards, body)
  const id = created.decisions[0]?.id ?? ''
  return { card_id: created.id, id, path: `/channels/${channel_id}/decisions/${id}` }
}

/** The first decision of a card, as viewers see it. */
export const decisionOf = (card: Pick<Card, 'blocks'> | undefined): Decision | undefined =>
  card?.blocks.flatMap(block => (block.type === 'button' ? (block.decision ?? []) : []))[0]

/** How long it took, in ms, and the answer. */
export async function waitFor(
  call: Call,
  path: string,
  seconds = 50,
): Promise<Answer<FullDecision> & { ms: number }> {
  const began = performance.now()
  const answer = await call<FullDecision>('GET', `${path}?wait=${seconds}`)
  return { ...answer, ms: performance.now() - began }
}

/** Of a wait without a request. */
export const unheard = { repeats: true, answer: () => {}, refuse: () => {} }
