// How people can sign in here. The sign-in page shows only what works.
import { z } from 'zod'

/** `oidc`: null without single sign-on. `mail`: whether the service can send a link for a new password. */
export const signInMethods = z.object({
  password: z.boolean(),
  sign_up: z.enum(['open', 'invite', 'closed']),
  oidc: z.object({ name: z.string() }).nullable(),
  mail: z.boolean(),
})
export type SignInMethods = z.output<typeof signInMethods>
