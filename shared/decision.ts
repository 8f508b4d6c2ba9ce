// A decision: a question on a button block. What is asked, what everybody sees, and what those who run the channel see.
import { z } from 'zod'
import { isInstant } from './instant.ts'
import { DECISION_KEY_MAX, EXPIRES_IN_MAX, LISTED_MAX } from './limits.ts'
import { charCount, timestamp, uuid } from './text.ts'

export const DECISION_STATES = ['waiting', 'decided', 'expired', 'cancelled'] as const
/** Who may decide. `listed`: chosen accounts, whose addresses only the full form shows. */
export const WHO = ['anyone', 'signed_in', 'members', 'owner', 'listed'] as const
export const COMMENTS = ['none', 'optional', 'required'] as const
export const IF_CHANGED = ['accept', 'refuse'] as const
/** What becomes of the question once nobody waits for the answer any more. */
export const ABANDON = ['keep', 'cancel'] as const
/** The codes of refusals, in bodies `{error, code, decision}`. */
export const DECISION_CODES = [
  'already_decided',
  'expired',
  'cancelled',
  'asked_again',
  'card_changed',
  'ended',
  'key_in_use',
  'sign_in',
  'not_allowed',
  'agents',
  'own_question',
] as const
export type DecisionCode = (typeof DECISION_CODES)[number]

export const commentRule = z.enum(COMMENTS)
const state = z.enum(DECISION_STATES)
export type DecisionState = z.output<typeof state>
const if_changed = z.enum(IF_CHANGED)
const abandon = z.enum(ABANDON)

/** `member`: any role but owner. `user`: signed in without a role. `anonymous`: the name is null. `name` is also null once it is past retention. */
export const decidedBy = z.object({
  kind: z.enum(['owner', 'member', 'user', 'anonymous', 'agent']),
  name: z.string().nullable(),
})
export type DecidedBy = z.output<typeof decidedBy>

/** `timestamp`: when the person pressed. `act`: see `publicIdOf`. */
const outcome = z.object({
  button_id: z.string(),
  label: z.string(),
  by: decidedBy,
  comment: z.string().nullable(),
  timestamp,
  act: z.string(),
})
export type DecisionOutcome = z.output<typeof outcome>

/** The public form, in `blocks[i].decision` wherever cards appear. */
export const decision = z.object({
  id: uuid,
  key: z.string().nullable(),
  state,
  asked_at: timestamp,
  expires_at: timestamp.nullable(),
  who: z.enum(WHO),
  agents: z.boolean(),
  comment: commentRule,
  if_changed,
  approves: z.string().nullable(),
  abandon: abandon.default('keep'),
  ended_at: timestamp.nullable().describe('When the server accepted the press, or the question closed.'),
  reason: z
    .enum(['withdrawn', 'replaced', 'deleted', 'abandoned'])
    .nullable()
    .describe('Null unless `cancelled`.'),
  outcome: outcome.nullable().describe('Null unless `decided`.'),
})
export type Decision = z.output<typeof decision>

/** The values of a card's inputs, by block. */
export const filledValues = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()), z.boolean(), z.null()]),
)

/** The full form, for people who may read the interaction log. `card_id` is null once the card is deleted. */
export const fullDecision = decision.extend({
  channel_id: uuid,
  card_id: uuid.nullable(),
  block_id: z.string(),
  choices: z.array(
    z.object({ id: z.string(), label: z.string(), style: z.enum(['primary', 'secondary', 'danger']) }),
  ),
  asked_by: z.object({ kind: z.enum(['agent', 'owner', 'member']), name: z.string() }),
  url: z.string(),
  who: z.union([z.enum(WHO), z.array(z.string())]).describe('A list shows its e-mail addresses.'),
  outcome: outcome
    .omit({ act: true })
    .extend({
      by: decidedBy.extend({ user_id: uuid.nullable(), api_key_id: uuid.nullable() }),
      interaction_id: uuid,
      values: filledValues.describe('The values of the card’s inputs, by block.'),
      seen: z.string().nullable(),
      card_updated_at: timestamp,
      jws: z
        .string()
        .nullable()
        .describe('The signature. Null if it was decided before decisions were signed.'),
    })
    .nullable(),
})
export type FullDecision = z.output<typeof fullDecision>

export const fullDecisionList = z.object({
  decisions: z.array(fullDecision),
  next_cursor: z.string().nullable(),
})
export type FullDecisionList = z.output<typeof fullDecisionList>

/** In the response to a request that asks a question. */
export const decisionSummary = fullDecision.pick({ id: true, block_id: true, state: true, url: true })
export type DecisionSummary = z.output<typeof decisionSummary>

export const WHO_RULE = 'must be anyone, signed_in, members, owner or 1 to 50 e-mail addresses'
const EXPIRES_IN_RULE = `must be a whole number from 1 to ${EXPIRES_IN_MAX}`
/** Nobody could tell whether a session still waits. */
export const ABANDON_RULE = 'needs an API key'
/** Of `decision.key`, for a whole card. */
export const ONE_KEY_RULE = 'can be used on one block of a card'
const KEY_RULE = `must have 1 to ${DECISION_KEY_MAX} characters`
/** Addresses compare as accounts do: trimmed, and in lower case. */
const listed = z
  .array(z.string(WHO_RULE).trim().toLowerCase())
  .min(1, WHO_RULE)
  .max(LISTED_MAX, WHO_RULE)
  .refine(list => list.every(address => address.includes('@')), WHO_RULE)

/**
 * The question in a request. A client may send back what it read, so the fields that the server sets are ignored. Whether
 * `listed`, a past deadline or `id` fit depends on the card, and is judged in the channel's turn.
 */
export const newDecision = z
  .object({
    id: z.string().nullish().describe('In PUT: the current decision, to keep it.'),
    key: z
      .string(KEY_RULE)
      .refine(key => key !== '' && charCount(key) <= DECISION_KEY_MAX, KEY_RULE)
      .meta({ minLength: 1, maxLength: DECISION_KEY_MAX })
      .nullish(),
    expires_at: z
      .string()
      .refine(isInstant, 'must be an ISO 8601 timestamp')
      .meta({ format: 'date-time' })
      .nullish()
      .describe('The deadline, at most 366 days ahead. Null: none.'),
    expires_in: z
      .int(EXPIRES_IN_RULE)
      .min(1, EXPIRES_IN_RULE)
      .max(EXPIRES_IN_MAX, EXPIRES_IN_RULE)
      .nullish()
      .describe(
        'The deadline in seconds from now, instead of `expires_at`. A PUT that keeps the question ignores it.',
      ),
    who: z.union([z.enum(WHO), listed], WHO_RULE).optional(),
    agents: z.boolean().optional().describe('Whether API keys may decide too; never the key that asked.'),
    comment: commentRule.optional(),
    if_changed: if_changed
      .optional()
      .describe('`refuse`: a press counts only if the person saw the card as it is now.'),
    approves: z.string().nullish().describe('The button that lets the asker go ahead.'),
    abandon: abandon
      .optional()
      .describe('`cancel`: the question closes when the API key that asked doesn’t wait for it any more.'),
    reopen: z.boolean().optional().describe('In PATCH: asks an ended question again.'),
  })
  .refine(({ expires_at, expires_in }) => (expires_at ?? null) === null || (expires_in ?? null) === null, {
    path: ['expires_in'],
    message: 'cannot be used together with expires_at',
  })
export type NewDecision = z.output<typeof newDecision>
