// Cards that ask, and requests that wait for the answer.
import type { Card } from '../../shared/card.ts'
import type { Decision, FullDecision } from '../../shared/decision.ts'
import { type Answer, type Call, create, type TestService } from './service.ts'
import { until } from './viewer.ts'

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

/** A request that waits at this instance until it is answered, or `leave` cuts it. */
export async function openWait({ url, waits }: TestService, api_key: string, { id, path }: Asked) {
  const count = () => waits.open.filter(({ decision_id }) => decision_id === id).length
  const before = count()
  const controller = new AbortController()
  const headers = { Authorization: `Bearer ${api_key}` }
  const request = fetch(`${url}/api/v1${path}?wait=60`, { headers, signal: controller.signal })
  const answer = request.then((response): Promise<FullDecision> => response.json()).catch(() => null)
  await until(() => count() > before, 'it waits')
  return {
    answer,
    async leave(): Promise<void> {
      controller.abort()
      await until(() => count() === before, 'it has left')
    },
  }
}

/** Of a wait without a request. */
export const unheard = { repeats: true, answer: () => {}, refuse: () => {} }
