// Posters: carry out their operations of the plan, and record each with its answer. Runs in a process of its own.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serveCalls } from '../../bench/load/remote.ts'
import type { Operation } from '../plan.ts'
import { type JsonLines, now, writeJsonLines } from '../records.ts'
import { Known } from './known.ts'
import { type Answer, send } from './request.ts'
import { httpOf, type Request } from './requests.ts'
import { type Revoked, revoke } from './revoke.ts'
import { HISTORY, RIGHTS, type Scene } from './scene.ts'

export type Posters = typeof functions

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

/** False while the database may still lose what answers tell. */
let learning = true

let scene: Scene
let history: JsonLines<Tried>
let rights: JsonLines<Revoked>
let known: Known

const functions = {
  async open(given: Scene): Promise<void> {
    scene = given
    known = new Known(scene)
    history = writeJsonLines(join(scene.folder, HISTORY))
    rights = writeJsonLines(join(scene.folder, RIGHTS))
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

  /** With false, posters keep what they know and learn nothing new. */
  setLearning(learn: boolean): void {
    learning = learn
  },

  /** Resolves when all posters have done all operations of a phase. */
  async post(phase: 'during' | 'core' | 'resume'): Promise<void> {
    const begin = performance.now()
    const revoking: Promise<void>[] = []
    const { posts, liveness } = scene.plan
    const work = phase === 'core' ? (liveness?.posts ?? []) : posts.map(poster => poster[phase])
    await Promise.all(
      work.map(async operations => {
        for (const operation of operations) {
          await isDue(begin, operation.at)
          // It watches for seconds, and the poster goes on.
          if (operation.kind === 'revoke')
            revoking.push(revoke(scene, operation).then(record => void (record && rights.write(record))))
          else await perform(operation)
        }
      }),
    )
    await Promise.all(revoking)
  },

  close: (_: null) => Promise.all([history.end(), rights.end()]),
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
  const request = known.requestOf(operation)
  if (!request) return
  const repeats = 'idempotent' in request && request.idempotent
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

async function attempt(request: Request, channel: number, instance: number): Promise<Answer | null> {
  const channel_id = scene.channel_ids[channel] ?? ''
  const { method, path, body, headers } = httpOf(request, channel_id, scene)
  const learned = learning
  const begin = now()
  const { answer, error } = await send(method, `${scene.urls[instance]}${path}`, { headers, body })
  history.write({ request, channel_id, instance, begin, end: now(), answer, error })
  // What began before a loss may be lost, even if its answer comes later.
  if (answer && learned && learning) known.learn(request, answer, channel)
  return answer
}

serveCalls(functions)
