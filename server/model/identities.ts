// The people of a provider and the accounts that they sign in to.
import type { SignOnProfile } from '../auth/sign-on-profile.ts'
import { judgeSignOn, type SignOnFacts, type SignOnVerdict } from '../auth/sign-on-rules.ts'
import type { Config } from '../config.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { findInvite } from './invites.ts'
import { hasUsers, lockFirstUser, tryInsertUser } from './users.ts'

type SignOnOptions = {
  config: Pick<Config, 'signups' | 'oidc_signups' | 'oidc_trust_email'>
  invite: string | null
  now: number
}

/** Decides how the sign-on of this person ends, and creates the account if one is needed. */
export async function signOn(
  sql: Sql,
  profile: SignOnProfile,
  options: SignOnOptions,
): Promise<Exclude<SignOnVerdict, { kind: 'create' }>> {
  for (;;) {
    const done = await sql.begin(async tx => {
      const facts = await readFacts(tx, profile, options)
      const verdict = judgeSignOn(profile, facts, options.config.oidc_trust_email)
      if (verdict.kind === 'create') return createAccount(tx, profile, verdict.email)
      if (verdict.kind === 'sign_in') await noteUse(tx, profile)
      return verdict
    })
    // Null: meanwhile another request has created it.
    if (done) return done
  }
}

async function readFacts(
  tx: Transaction,
  { issuer, subject, email }: SignOnProfile,
  options: SignOnOptions,
): Promise<SignOnFacts> {
  // One statement, so that it never sees an account that another request creates without the identity.
  const [row] = await tx<{ known_user_id: string | null; has_password: boolean | null }[]>`
    select (select user_id from identities where issuer = ${issuer} and subject = ${subject}) as known_user_id,
      (select password_hash is not null from users where email = ${email}) as has_password`
  const { known_user_id = null, has_password = null } = row ?? {}
  const account = has_password === null ? null : { has_password }
  const isNew = known_user_id === null && account === null
  return { known_user_id, account, may_create: isNew && (await mayCreate(tx, email, options)) }
}

/** An invite allows a new account even if sign-ups are closed. The first account needs nothing. */
async function mayCreate(tx: Transaction, email: string | null, options: SignOnOptions): Promise<boolean> {
  const { config, invite, now } = options
  if (config.signups === 'open' && config.oidc_signups) return true
  const found = invite === null ? null : await findInvite(tx, invite, now)
  if (found && (found.email === null || found.email === email)) return true
  await lockFirstUser(tx)
  return !(await hasUsers(tx))
}

const noteUse = (tx: Transaction, { issuer, subject }: SignOnProfile) => tx`
  update identities set last_used_at = now() where issuer = ${issuer} and subject = ${subject}`

async function createAccount(tx: Transaction, { issuer, subject, name }: SignOnProfile, email: string) {
  const user = await tryInsertUser(tx, { email, name, password_hash: null })
  if (!user) return null
  await tx`
    insert into identities (issuer, subject, user_id, email) values (${issuer}, ${subject}, ${user.id}, ${email})`
  return { kind: 'sign_in' as const, user_id: user.id }
}

/** Lets the person of a provider sign in to this account. Returns false if its e-mail address is another one. */
export async function linkIdentity(
  sql: AnySql,
  { issuer, subject, email }: { issuer: string; subject: string; email: string },
  user_id: string,
): Promise<boolean> {
  const linked = await sql`
    insert into identities as known (issuer, subject, user_id, email)
    select ${issuer}, ${subject}, id, email from users
    where id = ${user_id} and email = ${email} and password_hash is not null
    on conflict (issuer, subject) do update set last_used_at = now() where known.user_id = excluded.user_id
    returning user_id`
  return linked.length > 0
}
