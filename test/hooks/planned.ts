// What becomes of a request, in parts that tests compare.
import type { HookHost, HookOptions, HookOutcome, HookPlan } from '../../server/hooks/hook.ts'
import { options } from './requests.ts'

type Asked = Extract<HookPlan, { kind: 'ask' }>

/** Throws if the host is answered at once. */
export function asked(host: HookHost, body: object, more: Partial<HookOptions> = {}): Asked {
  const plan = host.plan(body, { ...options, ...more })
  if (plan.kind !== 'ask') throw new Error(`no card: ${JSON.stringify(plan.answer)}`)
  return plan
}

/** The answer without a card; null if the agent has to wait for one. */
export function answered(host: HookHost, body: object): object | null {
  const plan = host.plan(body, options)
  return plan.kind === 'answer' ? plan.answer : null
}

/** The texts of a card in their order, without its buttons. */
export const textsOf = ({ card }: Pick<Asked, 'card'>): string[] =>
  card.blocks.flatMap(block => {
    if (block.type === 'text') return block.content
    if (block.type === 'badge') return block.label
    return block.type === 'kv' ? block.rows.map(({ key, value }) => `${key}: ${value}`) : []
  })

export const pressed = (button_id: string, more: Partial<HookOutcome> = {}): HookOutcome => ({
  button_id,
  by: { kind: 'owner', name: 'Ann', user_id: 'a-user', api_key_id: null },
  comment: null,
  values: {},
  ...more,
})
