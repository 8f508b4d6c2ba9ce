// Asks and presses: requests that meet on several instances, presses around a deadline, and clients that wait for the
// outcome. Runs in the process of the posters.
import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '../actions.ts'
import { BUTTONS, type Button, type Press, QUESTION_BLOCK } from '../model/questions.ts'
import type { Operation } from '../plan.ts'
import { type JsonLines, now } from '../records.ts'
import { type Answer, send } from './request.ts'
import type { Request } from './requests.ts'
import { keyOf, type Scene } from './scene.ts'

/** A line of waits.jsonl: a request that waited for a decision. `end`: null if it still waits when the run ends. */
export type Waited = {
  decision_id: string
  channel_id: string
  instance: number
  begin: number
  end: number | null
  answer: Answer | null
}

/** How the posters send a request and record its answer. */
export type Attempt = (request: Request, channel: number, instance: number) => Promise<Answer | null>

const WAIT_S = 15
const RETRY_MS = 200
/** How long before the deadline a late press claims to be. */
const CLAIMED_MS = 500

type Asking = Operation & Extract<Action, { kind: 'ask' }>

export class Questions {
  readonly #scene: Scene
  readonly #attempt: Attempt
  readonly #waits: JsonLines<Waited>
  readonly #waiting = new Set<Waited>()
  #closed = false

  constructor(scene: Scene, attempt: Attempt, waits: JsonLines<Waited>) {
    this.#scene = scene
    this.#attempt = attempt
    this.#waits = waits
  }

  /** Resolves when the presses around its deadline are answered. */
  async pressAround(
    { id: op, channel, instance, presses_ms }: Asking,
    asked: { card_id: string; decision_id: string },
  ): Promise<void> {
    const read: Request = { kind: 'read decision', op: `${op}-g`, decision_id: asked.decision_id }
    const answer = await this.#attempt(read, channel, instance)
    const deadline = Date.parse(fieldOf(answer?.body, 'expires_at') ?? '')
    if (Number.isNaN(deadline)) return
    await Promise.all(
      presses_ms.map(async (ms, i) => {
        await delay(Math.max(0, deadline + ms - Date.now()))
        const timestamp = new Date(Math.min(Date.now(), deadline - CLAIMED_MS)).toISOString()
        const press: Press = {
          kind: 'press',
          op: `${op}-x${i}`,
          interaction_id: crypto.randomUUID(),
          ...asked,
          button: buttonAt(i),
          by: 'anonymous',
          timestamp,
        }
        await this.#attempt(press, channel, i % this.#scene.urls.length)
      }),
    )
  }

  /** The press, and rivals on all instances at the same time. A repeated press is sent to two of them at once. */
  async press(
    press: Press,
    { channel, instance, rivals, repeated }: Operation & Extract<Action, { kind: 'press' }>,
  ): Promise<void> {
    const { length } = this.#scene.urls
    const others = Array.from({ length: rivals }, (_, i) => {
      const interaction_id = crypto.randomUUID()
      const rival: Press = {
        ...press,
        op: `${press.op}-r${i}`,
        interaction_id,
        button: buttonAt(i),
        by: 'anonymous',
      }
      return this.#attempt(rival, channel, (instance + i + 1) % length)
    })
    const at_once = repeated ? [this.#attempt(press, channel, (instance + 1) % length)] : []
    await Promise.all([this.#attempt(press, channel, instance), ...at_once, ...others])
    if (repeated) await this.#attempt(press, channel, (instance + 1) % length)
  }

  /** Waits as planned: by default on every instance, until the decision ends or the run does. */
  follow(channel_id: string, decision_id: string, { waiters, instance }: Asking): void {
    const wait = (at: number, signal?: AbortSignal) => this.#wait(channel_id, decision_id, at, signal)
    const next = (instance + 1) % this.#scene.urls.length
    switch (waiters?.kind) {
      case undefined:
        for (const at of this.#scene.urls.keys()) void wait(at)
        break
      case 'stay':
        void wait(instance)
        break
      case 'leave':
        void wait(instance, AbortSignal.timeout(waiters.after_ms))
        break
      case 'return':
        void wait(instance, AbortSignal.timeout(waiters.after_ms))
        void delay(waiters.after_ms + waiters.away_ms).then(() => wait(next))
    }
  }

  /** Of which clients wait. */
  get awaited(): string[] {
    return [...new Set([...this.#waiting].map(({ decision_id }) => decision_id))]
  }

  /** Records what still waits. */
  async close(): Promise<void> {
    this.#closed = true
    for (const wait of this.#waiting) this.#waits.write(wait)
    await this.#waits.end()
  }

  async #wait(
    channel_id: string,
    decision_id: string,
    instance: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const headers = { Authorization: `Bearer ${keyOf(this.#scene, channel_id)}` }
    const path = `/api/v1/channels/${channel_id}/decisions/${decision_id}?wait=${WAIT_S}`
    while (!this.#closed && !signal?.aborted) {
      const wait: Waited = { decision_id, channel_id, instance, begin: now(), end: null, answer: null }
      this.#waiting.add(wait)
      const { answer } = await send('GET', `${this.#scene.urls[instance]}${path}`, { headers, signal })
      this.#waiting.delete(wait)
      if (this.#closed) return
      this.#waits.write({ ...wait, end: now(), answer })
      if (answer && (answer.status === 404 || (fieldOf(answer.body, 'state') ?? 'waiting') !== 'waiting'))
        return
      if (answer?.status !== 200) await delay(RETRY_MS)
    }
  }
}

const buttonAt = (i: number): Button => BUTTONS[i % BUTTONS.length] ?? 'no'

/** The decision of an answer to a request that asks or asks again. */
export function decisionIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const [first]: unknown[] = 'decisions' in body && Array.isArray(body.decisions) ? body.decisions : []
  if (first !== undefined) return fieldOf(first, 'id')
  const blocks: unknown[] = 'blocks' in body && Array.isArray(body.blocks) ? body.blocks : []
  const block = blocks.find(one => fieldOf(one, 'id') === QUESTION_BLOCK)
  return typeof block === 'object' && block !== null && 'decision' in block
    ? fieldOf(block.decision, 'id')
    : undefined
}

function fieldOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}
