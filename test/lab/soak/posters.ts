// The writes of a soak: cards, patches and interactions at fixed rates, on all instances. Runs in a process of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { badgeCard, now, stampOffset, statusBlockId, writeStamp } from '../../bench/card.ts'
import { Latencies } from '../../bench/latencies.ts'
import { type HttpConnection, httpRequest, openHttp } from '../../bench/load/http.ts'
import { serveCalls } from '../../bench/load/remote.ts'
import type { SoakLoad } from './plan.ts'
import { zipf } from './zipf.ts'

export type SoakPosters = typeof functions

export type Posted = {
  /** Of a POST of a card, since the last report: [step, count]. */
  latencies: [number, number][]
  done: { post: number; patch: number; interact: number }
  /** No answer, or another than 2xx: an instance was down, or the card was gone. */
  failed: number
  /** A few of their reasons. */
  reasons: string[]
}

type Kind = keyof Posted['done']

const WORKERS = 24
/** A PATCH takes one of the newest cards of its channel. */
const KNOWN_MAX = 20
const REASONS_MAX = 5
const RETRY_MS = 200
const VARIANTS = ['default', 'success', 'warning', 'error', 'info', 'pending']
const created = z.object({ id: z.string() })

const latencies = new Latencies()
const done = { post: 0, patch: 0, interact: 0 }
const reasons = new Set<string>()
const known: string[][] = []
let failed = 0
let headers: Record<string, string> = {}

type Posting = { ports: number[]; api_key: string; channel_ids: string[]; rates: SoakLoad['rates'] }

const functions = {
  start(given: Posting): void {
    headers = { authorization: `Bearer ${given.api_key}` }
    const { post, patch, interact } = given.rates
    const rate = post + patch + interact
    const begin = performance.now()
    const pick = zipf(given.channel_ids.length)
    let started = 0
    const work = async (port: number) => {
      let connection: HttpConnection | null = null
      for (;;) {
        const n = started++
        await delay(Math.max(0, begin + (n * 1000) / rate - performance.now()))
        // The kinds alternate by their shares.
        const share = (n * 0.618034) % 1
        const kind = share < post / rate ? 'post' : share < (post + patch) / rate ? 'patch' : 'interact'
        try {
          connection ??= await openHttp(port)
          await perform(connection, kind, given.channel_ids, pick(Math.random()))
        } catch (error) {
          connection = null
          fail(error instanceof Error ? error.message || 'the connection was closed' : String(error))
          await delay(RETRY_MS)
        }
      }
    }
    for (let i = 0; i < WORKERS; i++) void work(given.ports[i % given.ports.length] ?? 0)
  },

  /** Since the last report. */
  report(_: null): Posted {
    const report = { latencies: latencies.entries(), done: { ...done }, failed, reasons: [...reasons] }
    latencies.clear()
    Object.assign(done, { post: 0, patch: 0, interact: 0 })
    failed = 0
    reasons.clear()
    return report
  },
}

function fail(reason: string): void {
  failed++
  if (reasons.size < REASONS_MAX) reasons.add(reason.slice(0, 200))
}

async function perform(
  connection: HttpConnection,
  kind: Kind,
  channel_ids: string[],
  channel: number,
): Promise<void> {
  const channel_id = channel_ids[channel] ?? ''
  const cards = known[channel] ?? []
  known[channel] = cards
  const card_id = cards[Math.floor(Math.random() * cards.length)]
  const request =
    kind === 'interact'
      ? interactionOf(channel_id)
      : kind === 'patch' && card_id !== undefined
        ? patchOf(channel_id, card_id)
        : cardOf(channel_id)
  const begin = now()
  const { status, body } = await connection.send(request)
  if (status >= 300) return fail(`${kind} got ${status}: ${body}`)
  done[kind]++
  if (kind !== 'post') return
  latencies.add(now() - begin)
  cards.push(created.parse(JSON.parse(String(body))).id)
  if (cards.length > KNOWN_MAX) cards.shift()
}

function cardOf(channel_id: string): Buffer {
  const request = httpRequest('POST', `/api/v1/channels/${channel_id}/cards`, headers, badgeCard(0))
  writeStamp(request, stampOffset(request), now())
  return request
}

function patchOf(channel_id: string, card_id: string): Buffer {
  const variant = VARIANTS[Math.floor(Math.random() * VARIANTS.length)]
  const body = { blocks: [{ id: statusBlockId, patch: { label: `at ${now()}`, variant } }] }
  const path = `/api/v1/channels/${channel_id}/cards/${card_id}`
  return httpRequest('PATCH', path, headers, JSON.stringify(body))
}

function interactionOf(channel_id: string): Buffer {
  const body = { interaction_id: crypto.randomUUID(), trigger: { type: 'reply', text: 'from the soak' } }
  return httpRequest('POST', `/api/channels/${channel_id}/interactions`, {}, JSON.stringify(body))
}

serveCalls(functions)
