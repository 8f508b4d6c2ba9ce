// An interaction: the body that a viewer posts, the logged interaction, and the body that a webhook receives.
import { z } from 'zod'
import { cardStateEntry } from './block.ts'
import { decision, fullDecision } from './decision.ts'
import { FORM_TYPES } from './form-block.ts'
import { jsonObject } from './json-object.ts'
import { BLOCK_ID_MAX, COMMENT_MAX, REPLY_MAX, SEEN_MAX } from './limits.ts'
import { charCount, uuid as responseId, text, timestamp } from './text.ts'

const id = text(BLOCK_ID_MAX)
const uuid = z.guid('must be a UUID').transform(value => value.toLowerCase())

export const INTERACTION_TYPES = ['button_click', 'header_action', 'input_change', 'reply'] as const
/** Also what nobody did: a question expired. */
export const LOGGED_TYPES = [...INTERACTION_TYPES, 'decision_expired'] as const

/** Without labels and block types, which the server adds. */
const viewerTrigger = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('button_click'),
    button_id: id,
    /** The question that the person saw; the current one by default. */
    decision_id: z.string().optional(),
    comment: z.string().optional(),
  }),
  z.object({ type: z.literal('header_action'), action_id: id }),
  z.object({
    type: z.literal('input_change'),
    block_id: id,
    value: z.union(
      [z.string(), z.boolean(), z.array(z.string()), z.null()],
      'must be a string, a boolean, an array of strings or null',
    ),
  }),
  z.object({ type: z.literal('reply'), text: text(REPLY_MAX).default('') }),
])
export type ViewerTrigger = z.output<typeof viewerTrigger>

const COMMENT_RULE = { path: ['comment'], message: `must be at most ${COMMENT_MAX} characters` }
const isShort = (comment: string | undefined) => comment === undefined || charCount(comment) <= COMMENT_MAX

export const createInteractionBody = z
  .object({
    interaction_id: uuid.optional(),
    card_id: z.string().nullish(),
    trigger: viewerTrigger,
    values: jsonObject.optional(),
    timestamp: z.string().optional(),
    /** By default, only people with a role in the workspace show their name. */
    as: z.enum(['me', 'anonymous'], 'must be one of me, anonymous').optional(),
    /** The card's `updated_at` on the screen. */
    seen: text(SEEN_MAX).optional(),
  })
  .refine(({ trigger }) => trigger.type !== 'button_click' || isShort(trigger.comment), COMMENT_RULE)
export type CreateInteractionBody = z.output<typeof createInteractionBody>

/** An agent's press. */
export const decideBody = z
  .object({
    button_id: id,
    comment: z.string().optional(),
    values: jsonObject.optional(),
    seen: text(SEEN_MAX).optional(),
    interaction_id: uuid.optional(),
  })
  .refine(({ comment }) => isShort(comment), COMMENT_RULE)
export type DecideBody = z.output<typeof decideBody>

const named = z.object({ kind: z.enum(['owner', 'member', 'user']), name: z.string() })
const anonymous = z.object({ kind: z.literal('anonymous'), name: z.null() })
const agent = z.object({ kind: z.literal('agent'), name: z.string() })

/** How others see a person. `owner`: of the workspace. `member`: with another role. `user`: signed in, without a role. */
export const person = z.discriminatedUnion('kind', [named, anonymous])
export type Person = z.output<typeof person>

/** Who acted, for those who run the channel. `agent`: with an API key, whose name this is. */
export const loggedPerson = z.discriminatedUnion('kind', [
  named.extend({ user_id: responseId }),
  anonymous.extend({ user_id: z.null() }),
  agent.extend({ user_id: z.null() }),
])
export type LoggedPerson = z.output<typeof loggedPerson>

export const trigger = z.discriminatedUnion('type', [
  z.object({ type: z.literal('button_click'), button_id: z.string(), label: z.string() }),
  z.object({ type: z.literal('header_action'), action_id: z.string(), label: z.string() }),
  z.object({
    type: z.literal('input_change'),
    block_id: z.string(),
    block_type: z.enum(FORM_TYPES),
    value: z.union([z.string(), z.array(z.string()), z.boolean(), z.null()]),
  }),
  z.object({ type: z.literal('reply'), text: z.string() }),
  z.object({ type: z.literal('decision_expired'), block_id: z.string() }),
])
export type Trigger = z.output<typeof trigger>

/** `card_id` is null without a card, and after the card is deleted. */
export const interaction = z.object({
  interaction_id: responseId,
  channel_id: responseId,
  card_id: responseId.nullable(),
  timestamp,
  trigger,
  card_state: z.array(cardStateEntry).nullable(),
})
export type Interaction = z.output<typeof interaction>

/** The answer to a press. `decision`: on a decision's button. */
export const pressed = interaction.extend({ decision: decision.optional() })
export type Pressed = z.output<typeof pressed>

/** As those who run the channel see it. `decision`: if it answered a question, or a question expired. */
export const listedInteraction = interaction.extend({ decision: fullDecision.optional() })
export type ListedInteraction = z.output<typeof listedInteraction>

export const interactionList = z.object({
  interactions: z.array(listedInteraction),
  next_cursor: z.string().nullable(),
})
export type InteractionList = z.output<typeof interactionList>

/** `test`: the owner sent it from the dashboard. */
export const webhookTrigger = z.discriminatedUnion('type', [
  ...trigger.options,
  z.object({ type: z.literal('test') }),
])
export type WebhookTrigger = z.output<typeof webhookTrigger>

export const webhookRequest = listedInteraction.extend({ trigger: webhookTrigger })
