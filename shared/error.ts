// The bodies of error responses.
import { z } from 'zod'
import { DECISION_CODES, fullDecision } from './decision.ts'

export const errorBody = z.object({
  error: z.string().meta({ description: 'What is wrong, in words for people; it names the field.' }),
})
export type ErrorBody = z.output<typeof errorBody>

/** Refusals that concern a decision have `code` and `decision`; other errors of the same status don't. */
export const decisionError = errorBody.extend({
  code: z.enum(DECISION_CODES).optional(),
  decision: fullDecision.nullable().optional(),
})
