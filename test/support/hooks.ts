// Coding agents in front of a service: their requests, the cards that these become, and what they are answered.
import { randomUUID } from 'node:crypto'
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { claudePermission, codexPermission, geminiTool } from '../hooks/requests.ts'
import { type Account, createAccount, createTestKey } from './account.ts'
import { createChannel } from './channels.ts'
import { decisionOf } from './decisions.ts'
import type { Answer, Call, TestService } from './service.ts'
import { until } from './viewer.ts'

/** What each host sends if its agent wants to use a tool. */
export const TOOL_HOOKS = {
  'claude-code': claudePermission(),
  codex: codexPermission(),
  'gemini-cli': geminiTool(),
}
export type HostId = keyof typeof TOOL_HOOKS
export const HOST_IDS = ['claude-code', 'codex', 'gemini-cli'] as const

export type HookScene = Awaited<ReturnType<typeof buildHookScene>>

/** An interactive channel in a private workspace of its own, with the key of a machine. */
export async function buildHookScene(service: Pick<TestService, 'url'>, given?: Account) {
  const account = given ?? (await createAccount(service))
  const { session, workspace_id } = account
  const channel_id = await createChannel(account, { name: 'Laptop', mode: 'interactive' })
  const machine = await createTestKey(session, { name: 'claude on a laptop', workspace_id, scope: 'write' })
  return { url: service.url, account, channel_id, machine }
}

type Sent = { query?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

/** Sends a hook with the machine's key to the scene's channel. */
export function sendHook(scene: HookScene, host: HostId, { query = '', body, headers, signal }: Sent = {}) {
  const { url, channel_id, machine } = scene
  return fetch(`${url}/hooks/${host}?channel=${channel_id}${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${machine.key}`, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body ?? TOOL_HOOKS[host]),
    signal: signal ?? null,
  })
}

/** The response to a hook that isn't asked, or is refused. */
export async function hookAnswer(scene: HookScene, host: HostId, sent: Sent = {}): Promise<Answer> {
  const response = await sendHook(scene, host, sent)
  return { status: response.status, body: await response.json(), headers: response.headers }
}

export type OpenedHook = {
  card: Card
  decision_id: string
  headers: Headers
  /** What the host reads at the end. */
  answer: () => Promise<unknown>
  leave: () => void
}

type OpenedWith = { query?: string; body?: object; session_id?: string }

/** Sends a hook, by default of a new session, and waits for its card. */
export async function openHook(
  scene: HookScene,
  host: HostId,
  { query = '', body = {}, session_id = randomUUID() }: OpenedWith = {},
): Promise<OpenedHook> {
  const leaving = new AbortController()
  const sent = { ...TOOL_HOOKS[host], ...body, session_id }
  const response = await sendHook(scene, host, { query, body: sent, signal: leaving.signal })
  if (response.status !== 200) throw new Error(`a hook got ${response.status}: ${await response.text()}`)
  const text = response.text()
  // A test that leaves doesn't wait for it.
  text.catch(() => {})
  const card = (await cardsOf(scene)).find(({ key }) => key?.startsWith(`${host}/${session_id}/`))
  if (!card) throw new Error('the hook has no card')
  return {
    card,
    decision_id: decisionOf(card)?.id ?? '',
    headers: response.headers,
    answer: async () => JSON.parse(await text),
    leave: () => leaving.abort(),
  }
}

export async function cardsOf({ account, channel_id }: HookScene): Promise<Card[]> {
  const { body } = await account.session<{ cards: Card[] }>('GET', `/channels/${channel_id}/cards`)
  return body.cards
}

/** A press of the account on the card as it is now. */
export async function pressHook(
  { account, channel_id }: HookScene,
  { card }: Pick<OpenedHook, 'card'>,
  button_id: string,
  more: { comment?: string; values?: object; session?: Call } = {},
): Promise<Answer> {
  const { comment, values = {}, session = account.session } = more
  const { body } = await account.session<Card>('GET', `/channels/${channel_id}/cards/${card.id}`)
  return session('POST', `/channels/${channel_id}/interactions`, {
    card_id: card.id,
    trigger: { type: 'button_click', button_id, ...(comment !== undefined && { comment }) },
    values,
    seen: body.updated_at,
  })
}

export async function decisionOfHook(scene: HookScene, { decision_id }: OpenedHook): Promise<FullDecision> {
  const { account, channel_id } = scene
  const path = `/channels/${channel_id}/decisions/${decision_id}`
  return (await account.session<FullDecision>('GET', path)).body
}

export const endsAs = (scene: HookScene, hook: OpenedHook, expected: string) =>
  until(async () => {
    const { state, reason } = await decisionOfHook(scene, hook)
    return expected === (reason ?? state)
  }, `the question of the hook ends as ${expected}`)
