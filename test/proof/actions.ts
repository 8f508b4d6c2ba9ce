// What posters do, and how often. Pure.
import { CARD_STATUSES } from '../../shared/limits.ts'
import type { Field } from './model/cards.ts'
import { type Abandon, BUTTONS, type Button, type Presser, type Question } from './model/questions.ts'
import { REFUSALS, type Refused } from './model/refusals.ts'
import type { Random } from './random.ts'

/** The n-th of the cards that the posters know in a channel. */
export type Rank = { from: 'newest' | 'oldest'; n: number }

export type Action =
  | { kind: 'post'; status: CardStatus; idempotent: boolean }
  | { kind: 'put'; key: string; idempotent: boolean; large?: boolean }
  /** Appends a row with the operation's id, and may change other fields. */
  | { kind: 'patch'; card: Rank; status?: CardStatus; fields?: Field[]; idempotent?: boolean }
  | { kind: 'refused'; card: Rank; key: string; how: Refused['how'] }
  | { kind: 'delete'; card: Rank }
  | { kind: 'get'; card: Rank }
  | { kind: 'get key'; key: string }
  | { kind: 'list'; limit: number }
  /** `back`: 0 is the newest page. */
  | { kind: 'page'; back: number }
  /** Of an anonymous viewer. */
  | { kind: 'interact'; act: 'click' | 'change' | 'reply'; card: Rank; repeated: boolean }
  /** `back`: 0 is the newest interaction. */
  | { kind: 'redeliver'; back: number }
  | { kind: 'rotate' | 'webhook' | 'head' | 'add action' | 'remove action' }
  | { kind: 'attribute'; name: string }
  | { kind: 'create channel' | 'delete channel' }
  /**
   * A card with a question. `twice`: two requests at once, on two instances. `presses_ms`: presses around the deadline, in
   * milliseconds from it. `apart`: posters don't learn of it, so that nobody presses it or deletes its card.
   */
  | {
      kind: 'ask'
      question: Question
      idempotent: boolean
      twice: boolean
      presses_ms: number[]
      waiters?: Waiters
      apart?: boolean
    }
  /** Changes what becomes of a question when its waiters leave. */
  | { kind: 'abandon'; back: number; abandon: Abandon }
  /** `back`: 0 is the newest question. `rivals`: how many others press at the same time, on all instances. */
  | { kind: 'press'; back: number; button: Button; by: Presser; rivals: number; repeated: boolean }
  | { kind: 'withdraw' | 'reopen' | 'read decision'; back: number }
  | { kind: 'list decisions' }
  /** Hides receipts, and watches on every instance who still sees a name. */
  | { kind: 'hide'; how: Hiding }
  /** A card of the user whose daily limit the run uses up. */
  | { kind: 'spend' }
  /** All at once: writes to one channel meet in a turn, and spends on all instances. */
  | { kind: 'burst'; parts: Action[] }
  /** Takes a right away, and watches on every instance until it is gone. */
  | { kind: 'revoke'; right: Right }

/**
 * Who waits for the answer to a question: clients at all instances, as long as it takes, unless this says otherwise. Then it is one
 * client, which stays, leaves for good, or comes back to the next instance.
 */
export type Waiters =
  | { kind: 'stay' | 'never' }
  | { kind: 'leave'; after_ms: number }
  | { kind: 'return'; after_ms: number; away_ms: number }

type CardStatus = (typeof CARD_STATUSES)[number]

/** `editor`: one is removed. `running`: an editor becomes a viewer. */
export const RIGHTS = ['key', 'session', 'visibility', 'password', 'channel', 'editor', 'running'] as const
export type Right = (typeof RIGHTS)[number]

/** The workspace becomes public, or the channel's receipts are turned off. */
export const HIDINGS = ['public', 'off'] as const
export type Hiding = (typeof HIDINGS)[number]

const KEYS = 20
const QUESTION_KEYS = 3
const SPEND_WEIGHT = 2
const RACE_WEIGHT = 1
const RACERS = 4
const DEADLINES = [
  { expires_in: 1, presses_ms: [-60, -20, 10, 150] },
  { expires_in: 2, presses_ms: [5, 40, 150, 400] },
]
const FIELDS = ['note', 'answer', 'label'] as const
const ACTS = ['click', 'change', 'reply'] as const

const newest = (random: Random): Rank => ({ from: 'newest', n: Math.floor(random.fraction() ** 2 * 100) })
const oldest = (random: Random): Rank => ({ from: 'oldest', n: random.between(0, 63) })

const key = (random: Random) => `key-${random.between(1, KEYS)}`
const fields = (random: Random) => FIELDS.filter(() => random.chance(0.5))

function ask(random: Random): Action {
  const question = {
    who: random.weighted([
      [6, 'anyone'],
      [1, 'signed_in'],
      [1, 'owner'],
    ] as const),
    agents: random.chance(1 / 2),
    key: null,
    expires_in: null,
  }
  const kind = random.weighted([
    [4, 'plain'],
    [2, 'keyed'],
    [2, 'deadline'],
  ] as const)
  const idempotent = random.chance(1 / 4)
  if (kind === 'plain') return { kind: 'ask', question, idempotent, twice: false, presses_ms: [] }
  if (kind === 'keyed') {
    const key = `question-${random.between(1, QUESTION_KEYS)}`
    return { kind: 'ask', question: { ...question, key }, idempotent: false, twice: true, presses_ms: [] }
  }
  const { expires_in, presses_ms } = random.pick(DEADLINES)
  const open = { ...question, who: 'anyone' as const, expires_in }
  return { kind: 'ask', question: open, idempotent: false, twice: false, presses_ms }
}

const back = (random: Random) => Math.floor(random.fraction() ** 2 * 8)

const press = (random: Random): Action => ({
  kind: 'press',
  back: back(random),
  button: random.pick(BUTTONS),
  by: random.weighted([
    [5, 'anonymous'],
    [2, 'owner'],
    [3, 'agent'],
    [1, 'asker'],
  ] as const),
  rivals: random.pick([0, 1, 1, 3]),
  repeated: random.chance(1 / 3),
})

/** Eight writes with keys, and what else shares a turn with them. */
const burst = (random: Random): Action => ({
  kind: 'burst',
  parts: [
    ...Array.from({ length: 5 }, () => post(random, true)),
    { kind: 'put', key: key(random), idempotent: true },
    { kind: 'patch', card: newest(random), idempotent: true },
    { kind: 'patch', card: newest(random), fields: fields(random), idempotent: true },
    press(random),
    press(random),
  ],
})

/** Archived cards are changed and deleted while others are created, and a viewer reads their page. */
const archive = (random: Random): Action => ({
  kind: 'burst',
  parts: [
    ...Array.from({ length: 3 }, (): Action => ({ kind: 'patch', card: oldest(random), idempotent: true })),
    { kind: 'delete', card: oldest(random) },
    { kind: 'delete', card: oldest(random) },
    post(random, true),
    post(random, true),
    { kind: 'page', back: 6 },
  ],
})

/** A large channel has a few large cards. */
const LARGE_CARDS = 12
export const largeKey = (i: number) => `large-${i % LARGE_CARDS}`
/** How many times they are written before the run, so that the worker has certainly taken a snapshot. */
export const LARGE_PUTS = 3 * LARGE_CARDS

/** Writes all of a large card again. */
export const putLarge = (random: Random): Action => ({
  kind: 'put',
  key: largeKey(random.between(1, LARGE_CARDS)),
  idempotent: false,
  large: true,
})

/** On all instances at once, for what is left of the day. */
export const RACE: Action = {
  kind: 'burst',
  parts: Array.from({ length: RACERS }, () => ({ kind: 'spend' })),
}

const post = (random: Random, idempotent: boolean): Action => ({
  kind: 'post',
  status: random.pick(CARD_STATUSES),
  idempotent,
})

/** The weights of the contract; those of questions and of `spend` are our own. */
export const ACTIONS: [weight: number, make: (random: Random) => Action][] = [
  [26, r => post(r, r.chance(1 / 4))],
  [10, r => ({ kind: 'put', key: key(r), idempotent: r.chance(1 / 8) })],
  [16, r => ({ kind: 'patch', card: newest(r), idempotent: r.chance(1 / 8) })],
  [6, r => ({ kind: 'patch', card: newest(r), status: r.pick(CARD_STATUSES), fields: fields(r) })],
  [4, r => ({ kind: 'refused', card: newest(r), key: key(r), how: r.pick(REFUSALS) })],
  [6, r => ({ kind: 'delete', card: newest(r) })],
  [2, r => ({ kind: 'patch', card: oldest(r) })],
  [1, r => ({ kind: 'delete', card: oldest(r) })],
  [4, r => ({ kind: 'get', card: newest(r) })],
  [1, r => ({ kind: 'get key', key: key(r) })],
  [3, r => ({ kind: 'list', limit: r.pick([10, 50, 200]) })],
  [4, r => ({ kind: 'page', back: Math.floor(r.fraction() ** 2 * 8) })],
  [10, r => ({ kind: 'interact', act: r.pick(ACTS), card: newest(r), repeated: r.chance(1 / 5) })],
  [1, r => ({ kind: 'redeliver', back: r.between(0, 9) })],
  [2, r => ({ kind: r.pick(['rotate', 'rotate', 'webhook'] as const) })],
  [1, r => ({ kind: r.pick(['head', 'add action', 'remove action'] as const) })],
  [1, r => ({ kind: 'attribute', name: `attribute-${r.between(1, 3)}` })],
  [2, r => ({ kind: 'revoke', right: r.pick(RIGHTS) })],
  [1, r => ({ kind: r.pick(['create channel', 'delete channel'] as const) })],
  [6, ask],
  [10, press],
  [1, r => ({ kind: 'withdraw', back: back(r) })],
  [2, r => ({ kind: 'reopen', back: back(r) })],
  [3, r => ({ kind: 'read decision', back: back(r) })],
  [1, () => ({ kind: 'list decisions' })],
  [1, r => ({ kind: 'hide', how: r.pick(HIDINGS) })],
  [SPEND_WEIGHT, () => ({ kind: 'spend' })],
  [RACE_WEIGHT, () => RACE],
  [3, burst],
  [2, archive],
]

/** What needs one instance only. A write with an Idempotency-Key is repeated on another one. */
export const CORE_ACTIONS: [weight: number, make: (random: Random) => Action][] = [
  [6, r => post(r, false)],
  [3, r => ({ kind: 'patch', card: newest(r) })],
  [1, r => ({ kind: 'get', card: newest(r) })],
]
