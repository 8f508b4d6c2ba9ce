// User accounts. This file handles password hashes only, never passwords.
import { randomUUID } from 'node:crypto'
import type { User } from '../../shared/user.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { apiError, invalid } from '../errors.ts'

/** `password_hash`: null for an account that signs in with its provider only. */
export type NewUser = { email: string; name: string; password_hash: string | null }

const signUpLock = 0x6366_7573 // any number of our own

/** `only_first`: while sign-ups aren't open. */
export function createUser(sql: Sql, user: NewUser, only_first = false): Promise<User> {
  if (!only_first) return insertUser(sql, user)
  return sql.begin(async tx => {
    await lockFirstUser(tx)
    await requireNoUsers(tx)
    return insertUser(tx, user)
  })
}

/** Two concurrent requests must not both create the first account. */
export async function lockFirstUser(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(${signUpLock})`
}

export async function hasUsers(sql: AnySql): Promise<boolean> {
  const users = await sql`select from users limit 1`
  return users.length > 0
}

/** While sign-ups aren't open, only the first account may be created without an invite. */
export async function requireNoUsers(sql: AnySql): Promise<void> {
  if (await hasUsers(sql)) throw apiError('sign_ups_closed')
}

export async function insertUser(sql: AnySql, user: NewUser): Promise<User> {
  const created = await tryInsertUser(sql, user)
  if (!created) throw invalid('email', 'is already registered', 'email_taken')
  return created
}

/** Returns null if the e-mail address has an account. */
export async function tryInsertUser(
  sql: AnySql,
  { email, name, password_hash }: NewUser,
): Promise<User | null> {
  const [user] = await sql<User[]>`
    insert into users (id, email, name, password_hash)
    values (${randomUUID()}, ${email}, ${name}, ${password_hash})
    on conflict (email) do nothing
    returning id, email, name`
  return user ?? null
}

export async function findAccount(sql: Sql, email: string) {
  const [account] = await sql<(User & { password_hash: string | null })[]>`
    select id, email, name, password_hash from users where email = ${email}`
  return account ?? null
}

export async function readName(sql: Sql, id: string): Promise<string | null> {
  const [user] = await sql<{ name: string }[]>`select name from users where id = ${id}`
  return user?.name ?? null
}

export async function readEmail(sql: Sql, id: string): Promise<string | null> {
  const [user] = await sql<{ email: string }[]>`select email from users where id = ${id}`
  return user?.email ?? null
}

/** Returns null if the password changed after it was checked against `known_hash`. */
export async function patchUser(
  sql: AnySql,
  id: string,
  { name, password_hash }: { name?: string; password_hash?: string },
  known_hash: string | null = null,
): Promise<User | null> {
  const [user] = await sql<User[]>`
    update users set name = coalesce(${name ?? null}, name),
      password_hash = coalesce(${password_hash ?? null}, password_hash)
    where id = ${id} and (${known_hash}::text is null or password_hash = ${known_hash})
    returning id, email, name`
  return user ?? null
}
