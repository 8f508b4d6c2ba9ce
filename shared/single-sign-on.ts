// Single sign-on with an OpenID Connect provider: what starts it, and how it can end.
import { z } from 'zod'
import { URL_MAX } from './limits.ts'
import { ownPath } from './own-path.ts'

/** `invite`: the token of an invite, which allows a new account even if sign-ups are closed. */
export const startSignOnBody = z.object({
  return_to: z
    .string()
    .refine(path => ownPath(path) !== null, { error: 'must be a path', abort: true })
    .transform(path => ownPath(path) ?? '/')
    // It travels in a cookie, and browsers drop cookies of more than 4 KB.
    .refine(path => path.length <= URL_MAX, `must be at most ${URL_MAX} characters`)
    .default('/'),
  invite: z.string().optional(),
})
export type StartSignOnBody = z.input<typeof startSignOnBody>

/** `url`: the provider's page. */
export const signOnStarted = z.object({ url: z.string() })
export type SignOnStarted = z.output<typeof signOnStarted>

export const signOnLinked = z.object({ linked: z.literal(true) })
export type SignOnLinked = z.output<typeof signOnLinked>

/** The page `/sign-in?error=…` explains these. */
export type SignOnError = 'oidc_denied' | 'oidc_failed' | 'oidc_email' | 'oidc_sign_up'
