// The rules of decisions: what a press is answered with. The checker knows from the log what a question's standing was.

/** `key`: the question's own key. `expires_in`: in seconds. `abandon`: absent in plans of older seeds, and then `keep`. */
export type Question = {
  who: 'anyone' | 'signed_in' | 'owner'
  agents: boolean
  key: string | null
  expires_in: number | null
  abandon?: Abandon
}

export type Abandon = 'keep' | 'cancel'

/** `asker`: the API key that asked. */
export type Presser = 'anonymous' | 'owner' | 'agent' | 'asker'

export type Press = {
  kind: 'press'
  op: string
  interaction_id: string
  card_id: string
  decision_id: string
  button: Button
  by: Presser
  /** When the device claims that the person pressed. */
  timestamp: string
}

/** `replaced`: its block asks something else by now. `gone`: with its card. */
export type Standing = 'waiting' | 'decided' | 'expired' | 'cancelled' | 'replaced' | 'gone'

/** How a question ends. */
type Ended = Exclude<Standing, 'waiting' | 'replaced' | 'gone'>

/** `code`: of the refusal; null if the press decides. */
export type Verdict = { status: number; code: string | null }

export const BUTTONS = ['yes', 'no'] as const
export type Button = (typeof BUTTONS)[number]

export const QUESTION_BLOCK = 'question'

/** The block that asks, as a client sends it. */
export const askBlock = ({ who, agents, key, expires_in, abandon }: Question) => ({
  type: 'button',
  id: QUESTION_BLOCK,
  buttons: BUTTONS.map(id => ({ id, label: id })),
  decision: {
    who,
    agents,
    abandon,
    ...(key !== null && { key }),
    ...(expires_in !== null && { expires_in }),
  },
})

/** Those who may never press it, whatever has become of the question. */
function exclusionOf(by: Presser, { who, agents }: Pick<Question, 'who' | 'agents'>): Verdict | null {
  if (by === 'agent' || by === 'asker') {
    if (!agents) return { status: 403, code: 'agents' }
    return by === 'asker' ? { status: 403, code: 'own_question' } : null
  }
  return by === 'anonymous' && who !== 'anyone' ? { status: 403, code: 'sign_in' } : null
}

/** The answer to the first request of a press. `ended`: how the question ended; deleting its card cancels one that waits. */
export function judge(
  { by }: Pick<Press, 'by'>,
  question: Question,
  standing: Standing,
  ended: Ended = 'cancelled',
): Verdict {
  if (standing === 'gone')
    return by === 'agent' || by === 'asker' ? refusal(ended) : { status: 404, code: null }
  const excluded = exclusionOf(by, question)
  if (excluded) return excluded
  return standing === 'waiting' ? { status: 201, code: null } : refusal(standing)
}

const CODES = {
  decided: 'already_decided',
  expired: 'expired',
  cancelled: 'cancelled',
  replaced: 'asked_again',
} as const

const refusal = (ended: keyof typeof CODES): Verdict => ({ status: 409, code: CODES[ended] })

/** The request's body, for a person. */
export const personBody = ({ interaction_id, card_id, decision_id, button, timestamp }: Press) => ({
  interaction_id,
  card_id,
  trigger: { type: 'button_click', button_id: button, decision_id },
  timestamp,
})

/** The same for an agent. */
export const agentBody = ({ interaction_id, button }: Press) => ({ interaction_id, button_id: button })
