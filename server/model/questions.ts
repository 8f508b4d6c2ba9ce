// What a request asks: its questions with the accounts and names that the channel's turn needs, and warnings about them.
import { createHash } from 'node:crypto'
import type { DecisionRequest, PatchCardBody, PlacedCard } from '../../shared/card.ts'
import type { Visibility } from '../../shared/channel.ts'
import { type DecisionSummary, newDecision } from '../../shared/decision.ts'
import { isQuestionBlock } from '../../shared/decision-rules.ts'
import { canonicalJson } from '../../shared/digested-card.ts'
import { Invalid, parse } from '../../shared/invalid.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import type { Sql } from '../database/connect.ts'
import type { Asker } from '../decisions/rows.ts'
import type { Inquiry } from '../decisions/rules.ts'
import { readName } from './users.ts'

/** `key_id`: null for a session. `owner`: of the workspace. */
export type Caller = { user_id: string; key_id: string | null; owner: boolean }

/** `blocks`: as they were sent; null if nobody may join the question. */
export async function readInquiry(
  sql: Sql,
  questions: DecisionRequest[],
  caller: Caller,
  blocks: unknown[] | null,
): Promise<Inquiry> {
  const request =
    blocks &&
    createHash('sha256')
      .update(canonicalJson(withoutDeadlines(blocks)))
      .digest('base64url')
  const [asker, accounts] = await Promise.all([readAsker(sql, caller), readAccounts(sql, questions)])
  return { asker, questions, accounts, request }
}

async function readAsker(sql: Sql, { user_id, key_id, owner }: Caller): Promise<Asker> {
  if (key_id !== null)
    return { kind: 'agent', name: await readKeyName(sql, key_id), api_key_id: key_id, user_id }
  const name = (await readName(sql, user_id)) ?? ''
  return { kind: owner ? 'owner' : 'member', name, api_key_id: null, user_id }
}

/** Empty if the key was just deleted. */
export async function readKeyName(sql: Sql, key_id: string): Promise<string> {
  const [key] = await sql<{ name: string }[]>`select name from api_keys where id = ${key_id}`
  return key?.name ?? ''
}

async function readAccounts(sql: Sql, questions: DecisionRequest[]): Promise<Map<string, string>> {
  const emails = questions.flatMap(({ settings: { who } }) => (Array.isArray(who) ? who : []))
  if (emails.length === 0) return new Map()
  const users = await sql<{ id: string; email: string }[]>`
    select id, email from users where email = any(${emails}::text[])`
  return new Map(users.map(({ id, email }) => [email, id]))
}

/** Throws `Invalid` for a question that is malformed, or that removes the decision. */
export function questionsOfPatch({ blocks = [] }: PatchCardBody): DecisionRequest[] {
  return blocks.flatMap(({ id, patch }, i) => {
    if (patch.decision === undefined) return []
    const path = ['blocks', i, 'patch', 'decision']
    if (patch.decision === null) throw new Invalid(path, 'cannot be removed')
    return [{ block_id: id, path, settings: parse(newDecision, patch.decision, path) }]
  })
}

export async function readWarnings(sql: Sql, channel_id: string, { questions, accounts }: Inquiry) {
  const [place] = await sql<{ visibility: Visibility; mode: string; with_role: string[] | null }[]>`
    select w.visibility, c.mode, (
        select json_agg(user_id) from (
          select w.user_id union all select user_id from workspace_members where workspace_id = w.id
        ) people where user_id = any(${[...accounts.values()]}::uuid[])
      ) as with_role
    from channels c join workspaces w on w.id = c.workspace_id where c.id = ${channel_id}`
  const warnings: string[] = []
  if (!place) return warnings
  const with_role = new Set(place.with_role)
  const whos = questions.map(({ settings }) => settings.who ?? 'anyone')
  if (place.visibility === 'public' && whos.includes('anyone'))
    warnings.push('anyone with the address may decide: the workspace is public')
  if (place.mode === 'view') warnings.push(`nobody can decide yet: the channel's mode is view`)
  if (place.visibility === 'private')
    for (const who of whos)
      for (const [i, email] of Array.isArray(who) ? who.entries() : [])
        if (!with_role.has(accounts.get(email) ?? '')) warnings.push(`who[${i}] cannot see this channel`)
  return warnings
}

export function decisionSummaries(
  { id, channel_id, blocks }: PlacedCard,
  public_url: string,
): DecisionSummary[] {
  const url = `${public_url}/c/${channel_id}?card=${id}`
  return blocks
    .filter(isQuestionBlock)
    .map(({ id, decision }) => ({ id: decision.id, block_id: id, state: decision.state, url }))
}

/** The same question with another deadline is the same question. */
function withoutDeadlines(blocks: unknown[]): unknown[] {
  return blocks.map(block => {
    if (!isJsonObject(block) || !isJsonObject(block.decision)) return block
    const { expires_at: _, expires_in: __, ...decision } = block.decision
    return { ...block, decision }
  })
}
