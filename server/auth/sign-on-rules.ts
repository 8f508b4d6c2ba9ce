// The one pure place that decides how a single sign-on ends.
import type { SignOnError } from '../../shared/single-sign-on.ts'
import type { SignOnProfile } from './sign-on-profile.ts'

export type SignOnFacts = {
  /** The account that this person of the provider has used before. */
  known_user_id: string | null
  /** The account with the person's e-mail address. */
  account: { has_password: boolean } | null
  may_create: boolean
}

/** `link`: the account's password must be given once. `reason` is for the log. */
export type SignOnVerdict =
  | { kind: 'sign_in'; user_id: string }
  | { kind: 'link'; email: string }
  | { kind: 'create'; email: string }
  | { kind: 'refuse'; error: SignOnError; reason: string }

const refuse = (error: SignOnError, reason: string) => ({ kind: 'refuse' as const, error, reason })

/** `trust_email`: an address counts as verified if the provider doesn't say. */
export function judgeSignOn(
  { email, verified }: Pick<SignOnProfile, 'email' | 'verified'>,
  { known_user_id, account, may_create }: SignOnFacts,
  trust_email: boolean,
): SignOnVerdict {
  if (known_user_id !== null) return { kind: 'sign_in', user_id: known_user_id }
  if (email === null) return refuse('oidc_email', 'the provider gives no e-mail address')
  if (!(verified ?? trust_email))
    return refuse(
      'oidc_email',
      verified === null
        ? 'the provider does not say whether the e-mail address is verified'
        : 'the e-mail address is not verified',
    )
  // Never signed in by the address alone: somebody else may have registered it, here or at the provider.
  if (account?.has_password) return { kind: 'link', email }
  if (account) return refuse('oidc_failed', 'the account belongs to another person of the provider')
  if (!may_create) return refuse('oidc_sign_up', 'new accounts are not allowed')
  return { kind: 'create', email }
}
