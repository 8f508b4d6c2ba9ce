// What a provider says of a person: its claims, checked, as far as we use them.
import { z } from 'zod'
import { USER_NAME_MAX } from '../../shared/limits.ts'
import { nameText } from '../../shared/text.ts'
import { emailAddress } from '../../shared/user.ts'

/** `email`: null for a missing or malformed one. `verified`: null if the provider doesn't say. */
export type SignOnProfile = {
  issuer: string
  subject: string
  email: string | null
  verified: boolean | null
  name: string
}

type Claims = Record<string, unknown>

/** Whether an address is verified counts only for the address beside it. */
export function mergeClaims(id_token: Claims, userinfo: Claims): Claims {
  const both = [id_token, userinfo]
  const has = (name: string) => (claims: Claims) => claims[name] !== undefined
  const source = both.filter(has('email')).find(has('email_verified')) ?? both.find(has('email'))
  const { email, email_verified } = source ?? {}
  return { ...id_token, ...userinfo, email, email_verified }
}

/** What PostgreSQL can't store. */
const BAD = /\0|\p{Surrogate}/u
const storable = z.string().refine(text => !BAD.test(text))

const identity = z.object({ iss: storable, sub: storable.min(1).max(255) })
const email = storable.pipe(emailAddress).nullable().catch(null)
const name = storable
  .transform(text => [...text.trim()].slice(0, USER_NAME_MAX).join(''))
  .pipe(nameText(USER_NAME_MAX))
  .nullable()
  .catch(null)

/** Throws if the claims don't identify anybody. */
export function readSignOnProfile(claims: Claims): SignOnProfile {
  const { iss, sub } = identity.parse(claims)
  const address = email.parse(claims.email)
  return {
    issuer: iss,
    subject: sub,
    email: address,
    verified: claims.email_verified === undefined ? null : claims.email_verified === true,
    name:
      name.parse(claims.name) ??
      name.parse(claims.preferred_username) ??
      address?.split('@')[0] ??
      'Somebody',
  }
}
