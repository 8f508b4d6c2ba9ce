// Finds the invite of a token.
import { sha256 } from '../auth/tokens.ts'
import type { AnySql } from '../database/connect.ts'

/** `email`: the only account that may use the invite; null: any. Null for a token without a valid invite. */
export type FindInvite = (sql: AnySql, token: string) => Promise<{ email: string | null } | null>

export const findInvite: FindInvite = async (sql, token) => {
  const [invite] = await sql<{ email: string | null }[]>`
    select email from workspace_invites
    where token_hash = ${sha256(token)} and uses_left > 0 and expires_at > now()`
  return invite ?? null
}
