// A dashboard user: the bodies of signing up, signing in and changing the account, and the account in responses.
import { z } from 'zod'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, USER_NAME_MAX } from './limits.ts'
import { charCount, nameText, uuid } from './text.ts'

const email = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, { error: 'is required', abort: true })
  .max(EMAIL_MAX, { error: `must be at most ${EMAIL_MAX} characters`, abort: true })

/** A new password; spaces count as characters. */
export const newPassword = z
  .string()
  .min(1, 'is required')
  .refine(
    value => charCount(value) >= PASSWORD_MIN && charCount(value) <= PASSWORD_MAX,
    `must be ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
  )
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

export const signUpBody = z.object({
  email: email.regex(z.regexes.email, 'must be a valid e-mail address'),
  password: newPassword,
  name: nameText(USER_NAME_MAX),
})
export type SignUpBody = z.output<typeof signUpBody>

/** Malformed addresses and passwords are accepted here: they fail like any wrong one. */
export const signInBody = z.object({ email, password: z.string().min(1, 'is required') })
export type SignInBody = z.output<typeof signInBody>

/** Changes the given fields. A new password needs the current one. */
export const patchAccountBody = z
  .object({
    name: nameText(USER_NAME_MAX).optional(),
    current_password: z.string().min(1, 'is required').optional(),
    new_password: newPassword.optional(),
  })
  .refine(body => body.new_password === undefined || body.current_password !== undefined, {
    path: ['current_password'],
    error: 'is required',
  })
export type PatchAccountBody = z.output<typeof patchAccountBody>

export const user = z.object({ id: uuid, email: z.string(), name: z.string() })
export type User = z.output<typeof user>

/** The response to signing up, signing in and changing the account, and of the session check. */
export const signedIn = z.object({ user })
export type SignedIn = z.output<typeof signedIn>
