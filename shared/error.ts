// The bodies of error responses.
import { z } from 'zod'

export const errorBody = z.object({
  error: z.string().meta({ description: 'What is wrong, in words for people; it names the field.' }),
})
export type ErrorBody = z.output<typeof errorBody>
