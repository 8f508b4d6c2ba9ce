// Posters: carry out their operations of the plan, and record each with its answer. Runs in a process of its own.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serveCalls } from '../../bench/load/remote.ts'
import { LARGE_PUTS, largeKey } from '../actions.ts'
import type { Operation } from '../plan.ts'
import { type JsonLines, now, writeJsonLines } from '../records.ts'
import { type Hidden, hide } from './hide.ts'
import { Known } from './known.ts'
import { decisionIn, Questions, type Waited } from './questions.ts'
import { type Answer, isKnown, send } from './request.ts'
import { httpOf, type Request } from './requests.ts'
import { type Revoked, revoke } from './revoke.ts'
import { HIDDEN, HISTORY, RIGHTS, type Scene, WAITS } from './scene.ts'

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

/** Of bursts for whose begin somebody waits. */
const begins = new Map<string, () => void>()

let scene: Scene
let history: JsonLines<Tried>
let rights: JsonLines<Revoked>
let hidden: JsonLines<Hidden>
let known: Known
let questions: Questions

const functions = {
  async open(given: Scene): Promise<void> {
    scene = given
    known = new Known(scene)
    history = writeJsonLines(join(scene.folder, HISTORY))
    rights = writeJsonLines(join(scene.folder, RIGHTS))
    hidden = writeJsonLines(join(scene.folder, HIDDEN))
    questions = new Questions(scene, attempt, writeJsonLines<Waited>(join(scene.folder, WAITS)))
  },

  /** Fills the channels. */
  async preload(_: null): Promise<void> {
    const { channels, large, cards, instances, seed } = scene.plan
    let next = 0
    const work = async () => {
      for (let i = next++; i < channels * cards; i = next++) {
        const [op, channel, left] = [`${seed}-c${i}`, i % channels, cards - Math.floor(i / channels)]
        const request: Request =
          channel < large && left <= LARGE_PUTS
            ? { kind: 'put', op, key: largeKey(left), large: true }
            : { kind: 'post', op, status: 'default' }
        await attempt(request, channel, i % instances)
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
    // They watch for seconds, and the posters go on.
    const watching: Promise<void>[] = []
    const { posts, liveness } = scene.plan
    const work = phase === 'core' ? (liveness?.posts ?? []) : posts.map(poster => poster[phase])
    await Promise.all(
      work.map(async operations => {
        for (const operation of operations) {
          await isDue(begin, operation.at)
          const later = watch(operation)
          if (later) watching.push(later)
          else watching.push(...(await perform(operation)))
        }
      }),
    )
    await Promise.all(watching)
  },

  /** Resolves when the burst begins. */
  beginOf: (burst: string) => new Promise<void>(resolve => void begins.set(burst, resolve)),

  /** Ids of decisions that clients wait for. */
  awaited: (_: null) => questions.awaited,

  close: (_: null) => Promise.all([history.end(), rights.end(), hidden.end(), questions.close()]),
}

/** Null if the operation is one that a poster waits for. */
function watch(operation: Operation): Promise<void> | null {
  switch (operation.kind) {
    case 'revoke':
      return revoke(scene, operation).then(record => void (record && rights.write(record)))
    case 'hide':
      return hide(scene, operation).then(record => void (record && hidden.write(record)))
    default:
      return null
  }
}

async function isDue(begin: number, at: number): Promise<void> {
  for (;;) {
    const wait = begin + at + pace.late_ms - performance.now()
    if (wait <= 0 && at <= pace.until_ms) return
    await delay(Math.max(wait, HELD_MS))
  }
}

/** Returns what goes on after the operation. */
async function perform(operation: Operation): Promise<Promise<void>[]> {
  if (operation.kind === 'burst') {
    begins.get(operation.id)?.()
    return (await Promise.all(partsOf(operation).map(perform))).flat()
  }
  const request = known.requestOf(operation)
  if (!request) return []
  if (operation.kind === 'press' && request.kind === 'press') await questions.press(request, operation)
  else if (operation.kind === 'ask') return ask(operation, request)
  else await carryOut(operation, request)
  return []
}

/** Writes of one instance share a turn. Others meet on all instances. */
function partsOf({ parts, ...whole }: Operation & { kind: 'burst' }): Operation[] {
  const { length } = scene.urls
  return parts.map((part, i): Operation => {
    const apart = part.kind === 'spend' || part.kind === 'press'
    const instance = (whole.instance + (apart ? i : 0)) % length
    return { ...whole, ...part, id: `${whole.id}-b${i}`, instance }
  })
}

async function ask(operation: Operation & { kind: 'ask' }, request: Request): Promise<Promise<void>[]> {
  const { channel, instance, twice, apart } = operation
  // Nobody may press before both are answered: the second request would find no question to join.
  const answers = twice
    ? await Promise.all(
        [instance, (instance + 1) % scene.urls.length].map(to => attempt(request, channel, to, false)),
      )
    : [apart ? await attempt(request, channel, instance, false) : await carryOut(operation, request)]
  const answer = answers.find(one => one?.status === 201)
  const [card_id, decision_id] = [idIn(answer?.body), decisionIn(answer?.body)]
  if (!answer || card_id === undefined || decision_id === undefined) return []
  if (twice && learning) known.learn(request, answer, channel)
  questions.follow(scene.channel_ids[channel] ?? '', decision_id, operation)
  return [questions.pressAround(operation, { card_id, decision_id })]
}

const idIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : undefined

/** Returns the last answer. */
async function carryOut(operation: Operation, request: Request): Promise<Answer | null> {
  const { channel, instance } = operation
  const repeats = 'idempotent' in request && request.idempotent
  const other = (instance + 1) % scene.urls.length
  const repeated = repeats || (operation.kind === 'interact' && operation.repeated)
  // One in three repeats doesn't wait for the answer.
  const overlaps = repeated && hashOf(operation.id) % 3 === 0
  const meanwhile = overlaps ? attempt(request, channel, other) : null
  let answer = await attempt(request, channel, instance)
  await meanwhile
  if (operation.kind === 'interact' && repeated && !overlaps) await attempt(request, channel, other)
  if (!repeats) return answer
  for (let tries = 1; !isKnown(answer) && tries < TRIES_MAX; tries++) {
    await delay(100)
    answer = await attempt(request, channel, instance)
  }
  // On another instance, if there is one.
  await attempt(request, channel, other)
  return answer
}

/** Of an operation's id, so that a seed decides. */
const hashOf = (id: string): number =>
  [...id].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 65_521, 7)

async function attempt(
  request: Request,
  channel: number,
  instance: number,
  learns = true,
): Promise<Answer | null> {
  const channel_id = scene.channel_ids[channel] ?? ''
  const { method, path, body, headers } = httpOf(request, channel_id, scene)
  const learned = learning
  const begin = now()
  const { answer, error } = await send(method, `${scene.urls[instance]}${path}`, { headers, body })
  history.write({ request, channel_id, instance, begin, end: now(), answer, error })
  // What began before a loss may be lost, even if its answer comes later.
  if (answer && learns && learned && learning) known.learn(request, answer, channel)
  return answer
}

serveCalls(functions)
