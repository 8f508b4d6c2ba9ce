// A user: the bodies that sign up, sign in and change the account, and the user in responses.
import { z } from 'zod'
import { REQUIRED } from './invalid.ts'
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, USER_NAME_MAX } from './limits.ts'
import { charCount, nameText, uuid } from './text.ts'

const email = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, { error: REQUIRED, abort: true })
  .max(EMAIL_MAX, { error: `must be at most ${EMAIL_MAX} characters`, abort: true })

export const newPassword = z
  .string()
  .min(1, REQUIRED)
  .refine(
    value => charCount(value) >= PASSWORD_MIN && charCount(value) <= PASSWORD_MAX,
    `must be ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
  )
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

export const emailAddress = email.regex(z.regexes.email, 'must be a valid e-mail address')

/** `invite`: the token of an invite, which the new account accepts. */
export const signUpBody = z.object({
  email: emailAddress,
  password: newPassword,
  name: nameText(USER_NAME_MAX),
  invite: z.string().optional(),
})
export type SignUpBody = z.output<typeof signUpBody>

/** Malformed addresses and passwords fail like any wrong one. */
export const signInBody = z.object({ email, password: z.string().min(1, REQUIRED) })
export type SignInBody = z.output<typeof signInBody>

export const patchAccountBody = z
  .object({
    name: nameText(USER_NAME_MAX).optional(),
    current_password: z.string().min(1, REQUIRED).optional(),
    new_password: newPassword.optional(),
  })
  .refine(body => body.new_password === undefined || body.current_password !== undefined, {
    path: ['current_password'],
    error: REQUIRED,
  })

export const user = z.object({ id: uuid, email: z.string(), name: z.string() })
export type User = z.output<typeof user>

export const signedIn = z.object({ user })
export type SignedIn = z.output<typeof signedIn>
