// What a run does. The scheduler decides when, except that `after` counts steps.
import fc, { type Arbitrary } from 'fast-check'
import type { CardStatus } from '../../../shared/card.ts'

export const INSTANCES = 3

/** `card` is a rank among the cards that the posters know. */
export type Operation = { instance: number } & (
  | { kind: 'post'; status: CardStatus }
  | { kind: 'put'; key: string }
  | { kind: 'patch'; card: number; note: boolean; status?: CardStatus | undefined }
  | { kind: 'refused'; card: number }
  | { kind: 'delete'; card: number }
  | { kind: 'head' }
)

export type StatementFault =
  /** The connection closes: before the statement arrives, or before its answer does. */
  | 'cut'
  | 'answer lost'
  /** The connection closes, and the server carries out the statement later. */
  | 'late'
  | 'cancelled'
export type NoticeFault = 'lost' | 'twice'

/** Happens to the `nth` statement or notice of the run. */
export type Fault =
  | { of: 'commit' | 'read'; nth: number; kind: StatementFault }
  | { of: 'notice'; nth: number; kind: NoticeFault }

/** A new instance takes its place. `sent`: what the instance had sent before still arrives. */
type Crash = { kind: 'crash'; instance: number; sent: boolean }

export type Incident = { after: number } & (
  | Crash
  /** Until the heal it gets no notices. `noticed`: its bus knows. */
  | { kind: 'deaf'; instance: number; noticed: boolean }
  /** Time passes, and the instance's periodic work runs. */
  | { kind: 'time'; instance: number; ms: number }
  /** The viewer's socket takes no more frames for some steps. */
  | { kind: 'slow' | 'leave'; viewer: number }
)

export type Plan = {
  posters: Operation[][]
  /** The instance that each viewer joins first. */
  viewers: number[]
  faults: Fault[]
  incidents: Incident[]
  /** Notices contain their turns, as on Redis, or not, as on PostgreSQL. */
  notices_have_turns: boolean
  /** The instances keep no document in memory for longer than a second. */
  forgetful: boolean
}

const instance = fc.nat(INSTANCES - 1)
const card = fc.nat(5)
const status = fc.constantFrom<CardStatus>('default', 'success', 'error')

const operation: Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('post'), instance, status }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put'), instance, key: fc.constantFrom('a', 'b') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('patch'),
      instance,
      card,
      note: fc.boolean(),
      status: fc.option(status, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('delete', 'refused'), instance, card }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('head'), instance }) },
)

const statementFault = fc.constantFrom<StatementFault>('cut', 'answer lost', 'late', 'cancelled')

const fault: Arbitrary<Fault> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ of: fc.constant('commit'), nth: fc.nat(15), kind: statementFault }) },
  { weight: 2, arbitrary: fc.record({ of: fc.constant('read'), nth: fc.nat(40), kind: statementFault }) },
  {
    weight: 2,
    arbitrary: fc.record({
      of: fc.constant('notice'),
      nth: fc.nat(15),
      kind: fc.constantFrom<NoticeFault>('lost', 'twice'),
    }),
  },
)

const after = fc.nat(150)

const incident: Arbitrary<Incident> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('crash'), after, instance, sent: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deaf'), after, instance, noticed: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('time'),
      after,
      instance,
      // The periodic work's second; longer than a quiet channel, a waiting write, an idle document.
      ms: fc.constantFrom(1_000, 6_000, 11_000, 16_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('slow', 'leave'), after, viewer: fc.nat(2) }) },
)

export const plans: Arbitrary<Plan> = fc.record({
  posters: fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
  viewers: fc.array(instance, { minLength: 1, maxLength: 3 }),
  faults: fc.array(fault, { maxLength: 4 }),
  incidents: fc.array(incident, { maxLength: 3 }),
  notices_have_turns: fc.boolean(),
  forgetful: fc.boolean(),
})
