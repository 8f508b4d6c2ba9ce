// Posters: carry out their operations of the plan, and record each with its answer. Runs in a process of its own.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serveCalls } from '../../bench/load/remote.ts'
import { blocksOf } from '../model/cards.ts'
import type { Write } from '../model/world.ts'
import type { Operation, Rank } from '../plan.ts'
import { type JsonLines, now, writeJsonLines } from '../records.ts'
import { type Answer, send } from './request.ts'
import { HISTORY, type Scene } from './scene.ts'

export type Posters = typeof functions

/** What was asked of the service. */
export type Request =
  | (Write & { idempotent?: boolean })
  | { kind: 'get'; op: string; card_id: string }
  | { kind: 'list'; op: string; limit: number }
  | { kind: 'interact'; op: string; interaction_id: string }

/** A line of history.jsonl. `answer` is null if its outcome is unknown. An operation may be tried several times. */
export type Tried = {
  request: Request
  channel_id: string
  instance: number
  begin: number
  end: number
  answer: Answer | null
  error: string | null
}

/** Tries of a write with an Idempotency-Key until it is known, and then once more. */
const TRIES_MAX = 5
const PRELOADERS = 16
const HELD_MS = 10

/** Operations planned for after `until_ms` wait; the others are `late_ms` later than planned. */
export type Pace = { late_ms: number; until_ms: number }

/** The plan's time may pass slower than ours. */
let pace: Pace = { late_ms: 0, until_ms: Number.MAX_SAFE_INTEGER }

let scene: Scene
let history: JsonLines<Tried>
/** The cards that the posters know, by channel, oldest first. */
let known: string[][] = []

const functions = {
  async open(given: Scene): Promise<void> {
    scene = given
    known = scene.channel_ids.map(() => [])
    history = writeJsonLines(join(scene.folder, HISTORY))
  },

  /** Fills the channels. */
  async preload(_: null): Promise<void> {
    const { channels, cards, instances, seed } = scene.plan
    let next = 0
    const work = async () => {
      for (let i = next++; i < channels * cards; i = next++) {
        const request: Request = { kind: 'post', op: `${seed}-c${i}`, status: 'default' }
        await attempt(request, i % channels, i % instances)
      }
    }
    await Promise.all(Array.from({ length: PRELOADERS }, work))
  },

  /** Operations wait for faults that take longer than planned. */
  setPace(given: Pace): void {
    pace = given
  },

  /** Resolves when all posters have done all operations of a phase. */
  async post(phase: 'during' | 'core' | 'resume'): Promise<void> {
    const begin = performance.now()
    const { posts, liveness } = scene.plan
    const work = phase === 'core' ? (liveness?.posts ?? []) : posts.map(poster => poster[phase])
    await Promise.all(
      work.map(async operations => {
        for (const operation of operations) {
          await isDue(begin, operation.at)
          await perform(operation)
        }
      }),
    )
  },

  close: (_: null) => history.end(),
}

async function isDue(begin: number, at: number): Promise<void> {
  for (;;) {
    const wait = begin + at + pace.late_ms - performance.now()
    if (wait <= 0 && at <= pace.until_ms) return
    await delay(Math.max(wait, HELD_MS))
  }
}

async function perform(operation: Operation): Promise<void> {
  const { channel, instance } = operation
  const request = requestOf(operation)
  if (!request) return
  const repeats = request.kind === 'post' && request.idempotent
  if (operation.kind === 'interact' && operation.repeated) await attempt(request, channel, instance)
  let answer = await attempt(request, channel, instance)
  if (!repeats) return
  for (let tries = 1; !isKnown(answer) && tries < TRIES_MAX; tries++) {
    await delay(100)
    answer = await attempt(request, channel, instance)
  }
  // On another instance, if there is one.
  await attempt(request, channel, (instance + 1) % scene.plan.instances)
}

/** A 409 says that another try is under way. */
const isKnown = (answer: Answer | null) => answer !== null && answer.status < 500 && answer.status !== 409

/** Null if no card has that rank. */
function requestOf(operation: Operation): Request | null {
  const { id: op, kind, channel } = operation
  switch (kind) {
    case 'post':
      return { kind, op, status: operation.status, idempotent: operation.idempotent }
    case 'put':
      return { kind, op, key: operation.key }
    case 'list':
      return { kind, op, limit: operation.limit }
    case 'interact':
      return { kind, op, interaction_id: crypto.randomUUID() }
  }
  const card_id = find(channel, operation.card)
  if (card_id === undefined) return null
  if (kind !== 'patch') return { kind, op, card_id }
  const { status, note } = operation
  return { kind, op, card_id, ...(status && { status }), ...(note && { note }) }
}

function find(channel: number, { from, n }: Rank): string | undefined {
  const cards = known[channel] ?? []
  return cards.at(from === 'oldest' ? n : -1 - n)
}

async function attempt(request: Request, channel: number, instance: number): Promise<Answer | null> {
  const channel_id = scene.channel_ids[channel] ?? ''
  const { method, path, body, headers } = httpOf(request, channel_id)
  const begin = now()
  const { answer, error } = await send(method, `${scene.urls[instance]}${path}`, {
    headers: { Authorization: `Bearer ${scene.api_key}`, ...headers },
    body,
  })
  history.write({ request, channel_id, instance, begin, end: now(), answer, error })
  if (answer) learn(request, answer, channel)
  return answer
}

function learn(request: Request, { status, body, replayed }: Answer, channel: number): void {
  const cards = known[channel] ?? []
  if (status === 201 && !replayed && request.kind !== 'interact' && hasId(body)) cards.push(body.id)
  if (request.kind === 'delete' && (status === 204 || status === 404)) {
    const at = cards.indexOf(request.card_id)
    if (at >= 0) cards.splice(at, 1)
  }
}

const hasId = (body: unknown): body is { id: string } =>
  typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'

function httpOf(request: Request, channel_id: string) {
  const channel = `/api/v1/channels/${channel_id}`
  const headers: Record<string, string> = {}
  const { op } = request
  const blocks = blocksOf({ content: op, note: '', rows: [] })
  const append = { id: 'rows', patch: { append_rows: [{ key: op, value: '' }] } }
  switch (request.kind) {
    case 'post': {
      if (request.idempotent) headers['Idempotency-Key'] = op
      return { method: 'POST', path: `${channel}/cards`, headers, body: { status: request.status, blocks } }
    }
    case 'put':
      return { method: 'PUT', path: `${channel}/cards/by-key/${request.key}`, headers, body: { blocks } }
    case 'patch': {
      const note = request.note ? [{ id: 'note', patch: { content: op } }] : []
      const body = { ...(request.status && { status: request.status }), blocks: [...note, append] }
      return { method: 'PATCH', path: `${channel}/cards/${request.card_id}`, headers, body }
    }
    case 'refused': {
      const body = { blocks: [append, { id: 'none', patch: {} }] }
      return { method: 'PATCH', path: `${channel}/cards/${request.card_id}`, headers, body }
    }
    case 'delete':
      return { method: 'DELETE', path: `${channel}/cards/${request.card_id}`, headers }
    case 'get':
      return { method: 'GET', path: `${channel}/cards/${request.card_id}`, headers }
    case 'list':
      return { method: 'GET', path: `${channel}/cards?limit=${request.limit}`, headers }
    case 'interact': {
      const body = { interaction_id: request.interaction_id, trigger: { type: 'reply', text: op } }
      return { method: 'POST', path: `/api/channels/${channel_id}/interactions`, headers, body }
    }
  }
}

serveCalls(functions)
