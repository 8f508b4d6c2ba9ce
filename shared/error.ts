// The bodies and codes of error responses.
import { z } from 'zod'
import { DECISION_CODES, fullDecision } from './decision.ts'
import { ERRORS } from './error-codes.ts'

/** The header `Error-Code`. */
export const errorCode = z
  .enum(Object.keys(ERRORS))
  .meta({ description: 'Every code of an error. Each response lists those that it can have.' })

export const errorBody = z.object({
  error: z.string().meta({ description: 'What is wrong, in words for people; it names the field.' }),
})
export type ErrorBody = z.output<typeof errorBody>

/** Refusals that concern a decision have `code` and `decision`; other errors of the same status don't. */
export const decisionError = errorBody.extend({
  code: z.enum(DECISION_CODES).optional(),
  decision: fullDecision.nullable().optional(),
})
