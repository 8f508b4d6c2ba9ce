// A signed decision: what its signature says, and what was digested for it.
import { z } from 'zod'
import { block } from './block.ts'
import { buttonBlock } from './blocks/button.ts'
import { cardStatus } from './card.ts'
import { type DecidedBy, decision, type FullDecision, filledValues } from './decision.ts'
import { uuid } from './text.ts'

const digestedQuestion = decision.pick({
  id: true,
  key: true,
  asked_at: true,
  expires_at: true,
  who: true,
  agents: true,
  comment: true,
  if_changed: true,
  approves: true,
  abandon: true,
})
export type DigestedQuestion = z.output<typeof digestedQuestion>

const digestedButtons = buttonBlock.schema.extend({ decision: digestedQuestion.optional() })

const digestedCardShape = z.object({
  v: z.literal(1),
  channel_id: uuid,
  card_id: uuid,
  status: cardStatus,
  blocks: z
    .array(z.union([block, digestedButtons]))
    .describe('As REST showed them right before the press. `decision` has only the question.'),
})
export type DigestedCard = z.output<typeof digestedCardShape>

export const signedDecision = z.object({
  jws: z.string().describe('A compact JWS. Its keys are at `/.well-known/jwks.json`.'),
  card: digestedCardShape
    .nullable()
    .describe('What `card.digest` is the digest of. Null once the card is deleted.'),
  values: filledValues
    .nullable()
    .describe('What `values_digest` is the digest of: the inputs without passwords. Null if there are none.'),
})
export type SignedDecision = z.output<typeof signedDecision>

/** `page`: with a session, or by anyone. `api`: with an API key. */
export type Via = 'page' | 'api'

/** What a signature says. Times are ISO 8601, except `iat`, which counts seconds. */
export type DecisionClaims = {
  v: 1
  /** The server's PUBLIC_URL. */
  iss: string
  /** The decision's id. */
  jti: string
  iat: number
  channel_id: string
  card_id: string
  block_id: string
  key: string | null
  asked_at: string
  /** `id`: of the API key, or of the user. */
  asked_by: FullDecision['asked_by'] & { id: string | null }
  choice: { id: string; label: string }
  approves: string | null
  approved: boolean
  /** `id`: of the user or the API key; null for `anonymous`. */
  by: DecidedBy & { id: string | null }
  via: Via
  comment: string | null
  pressed_at: string
  decided_at: string
  /** `seen`: whether the press named exactly this `updated_at`; null if it named none. */
  card: { digest: string; updated_at: string; seen: boolean | null }
  values_digest: string | null
}
