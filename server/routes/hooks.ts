// Coding agents ask before they act: their hooks become cards, and a press becomes the answer. docs/coding-agents.md
import { randomUUID } from 'node:crypto'
import type { PlacedCard } from '../../shared/card.ts'
import { jsonObject } from '../../shared/json-object.ts'
import type { Sql } from '../database/connect.ts'
import { apiError, unauthorized } from '../errors.ts'
import { claudeCode } from '../hooks/claude-code.ts'
import { codex } from '../hooks/codex.ts'
import { geminiCli } from '../hooks/gemini-cli.ts'
import { type HookHost, type HookPlan, sessionKey } from '../hooks/hook.ts'
import { readPlace } from '../model/channels.ts'
import { readInquiry } from '../model/questions.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { readHookOptions } from './hook-query.ts'
import { LATER } from './late-response.ts'
import { OpenHook } from './open-hook.ts'
import { serve } from './operation.ts'
import { readBody } from './request.ts'

const HOSTS: HookHost[] = [claudeCode, codex, geminiCli]

/** Apart from /api/v1 and its description: the hosts set the form of these requests and answers. */
export function addHookRoutes(routes: Routes, deps: RouteDeps) {
  const { caller, ownByQuery } = deps
  for (const host of HOSTS) {
    const route = { method: 'post', path: `/${host.name}`, need: 'write' } as const
    serve(routes, route, caller, ownByQuery, c => answerHook(c, deps, host))
  }
}

async function answerHook(c: AppContext, deps: RouteDeps, host: HookHost): Promise<Response> {
  const body = await readBody(c, jsonObject)
  const plan = host.plan(body, await readHookOptions(c, deps.sql, host.wait_s))
  await checkPlace(deps.sql, c.get('channel').id)
  return plan.kind === 'answer' ? c.json(plan.answer) : askPerson(c, deps, host, plan)
}

async function checkPlace(sql: Sql, channel_id: string): Promise<void> {
  const { visibility, mode } = await readPlace(sql, channel_id)
  if (visibility === 'public') throw apiError('hooks_not_public')
  if (mode !== 'interactive') throw apiError('channel_not_interactive')
}

type Asking = Extract<HookPlan, { kind: 'ask' }>

async function askPerson(c: AppContext, deps: RouteDeps, host: HookHost, plan: Asking): Promise<Response> {
  const { waits, open_hooks } = deps
  const [user_id, key] = [c.get('user_id'), c.get('key')]
  if (!key) throw unauthorized()
  const caller = { user_id, key, session_id: undefined }
  const free = open_hooks.take(key.id)
  try {
    // Before the card is stored: a question that nobody can wait for must not be asked.
    waits.checkRoom(caller)
    const card = await pushCard(c, deps, host, plan)
    const hook = new OpenHook(c.env.outgoing, c.get('channel').owner_id, card, plan.answer, deps)
    hook.open(caller, free)
    return LATER
  } catch (error) {
    free()
    throw error
  }
}

async function pushCard(
  c: AppContext,
  { sql, feeds }: RouteDeps,
  host: HookHost,
  { call, card }: Asking,
): Promise<PlacedCard> {
  const { id: channel_id, owner_id } = c.get('channel')
  const user_id = c.get('user_id')
  const { questions = [], ...fields } = card
  const caller = { user_id, key_id: c.get('key')?.id ?? null, owner: owner_id === user_id }
  // What is wrong with a question stands in the address, not in the body.
  const inquiry = await readInquiry(
    sql,
    questions.map(question => ({ ...question, path: [] })),
    caller,
    null,
  )
  const key = `${sessionKey(host, call)}/${randomUUID()}`
  const mutation = { kind: 'upsert', id: randomUUID(), key, ...fields, inquiry } as const
  const bytes = c.get('body').length
  const outcome = await feeds.get(channel_id).writer.write({ mutation, owner_id, bytes })
  if (outcome.kind !== 'inserted') throw new Error(`the card of a hook ended as ${outcome.kind}`)
  return outcome.card
}
