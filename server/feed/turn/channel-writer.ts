// Writes one channel: makes turns of its pending mutations, commits and publishes them.
import { setTimeout as delay } from 'node:timers/promises'
import type { GrownNotice } from '../../bus/bus.ts'
import { isUnavailable } from '../../database/unavailable.ts'
import { type EndQuestion, Overdue } from '../../decisions/end-question.ts'
import type { SignDecision } from '../../decisions/signing.ts'
import { notFound } from '../../errors.ts'
import { dailyBytesReached, utcDay } from '../../rate-limit.ts'
import type { ChannelDocument } from '../log/channel-document.ts'
import type { CommitLoop } from '../log/commit.ts'
import type { DocumentDeps, HeldDocument } from '../log/held-document.ts'
import type { LogHead } from '../log/log.ts'
import { KeyTaken } from '../log/stored-responses.ts'
import type { CommitResult, Turn } from '../log/turn.ts'
import { fittingMutations } from './fitting-mutations.ts'
import { makeTurn, type TurnContext } from './make-turn.ts'
import type { Outcome } from './mutation.ts'
import { MutationQueue, type MutationRequest, type PendingMutation, remainingWait } from './mutation-queue.ts'
import { isBehind, prefetch } from './prefetch.ts'
import type { DailyQuota } from './quota.ts'

export type WriterDeps = DocumentDeps & {
  commits: CommitLoop
  quota: DailyQuota
  now: () => number
  /** Where people find this service; in the addresses of decisions. */
  public_url: string
  sign: SignDecision
  committed: (notice: GrownNotice) => void
  endQuestion: EndQuestion
}

/** The mutations that count against the owner's daily quota. The others must work in any case: they remove, or hide. */
const COUNTED: ReadonlySet<string> = new Set(['insert', 'upsert', 'patch', 'press'])

const RETRY_MS = 100
/** After so many turns in a row were lost, other instances wait until the next one is committed. */
const LOSSES_MAX = 2

type Made = ReturnType<typeof makeTurn> & { context: TurnContext }

export class ChannelWriter {
  readonly #deps: WriterDeps
  readonly #document: ChannelDocument
  readonly #queue = new MutationQueue()
  #scheduled = false
  /** Turns in a row that another instance was faster with. */
  #losses = 0
  closed = false
  #on_idle: (() => void)[] = []

  constructor(document: ChannelDocument, deps: WriterDeps) {
    this.#document = document
    this.#deps = deps
  }

  /** Resolves when the mutation is durable. A question that should have ended is closed before the mutation meets it. */
  async write(request: MutationRequest): Promise<Outcome> {
    for (;;) {
      if (this.closed) throw notFound('Channel')
      const outcome = this.#queue.push(request)
      this.#schedule()
      try {
        return await outcome
      } catch (error) {
        if (!(error instanceof Overdue)) throw error
        const { card_id, decision_id } = error
        const { channel_id } = this.#document.committed
        const question = { channel_id, owner_id: request.owner_id, card_id, decision_id }
        await this.#deps.endQuestion(question, 'expire')
      }
    }
  }

  get idle(): boolean {
    return this.#queue.length === 0 && !this.#scheduled
  }

  async settled(): Promise<void> {
    if (!this.idle) await new Promise<void>(resolve => this.#on_idle.push(resolve))
  }

  close(): void {
    this.closed = true
    this.#queue.rejectAll(notFound('Channel'))
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    // Mutations that arrive in the same turn of the event loop share the channel's turn.
    setImmediate(() => this.#runTurns())
  }

  #runTurns(): void {
    this.#document
      .exclusive(held => this.#runTurn(held))
      .catch(error =>
        this.#deps.log.error(
          { err: error, channel_id: this.#document.committed.channel_id },
          'a turn failed',
        ),
      )
      .finally(() => {
        if (this.#queue.length > 0) return this.#runTurns()
        this.#scheduled = false
        for (const resolve of this.#on_idle.splice(0)) resolve()
      })
  }

  async #runTurn(held: HeldDocument): Promise<void> {
    held.used = performance.now()
    const batch = this.#queue.take()
    if (batch.length === 0) return
    try {
      await this.#tryTurn(held, batch)
    } catch (error) {
      held.discardLive()
      if (isUnavailable(error)) await pause()
      else this.#fail(batch, error)
    }
    if (this.closed) for (const pending of batch) if (!pending.settled) pending.reject(notFound('Channel'))
    this.#queue.putBack(batch)
  }

  async #tryTurn(held: HeldDocument, batch: PendingMutation[]): Promise<void> {
    const { commits } = this.#deps
    await held.load()
    if (await this.#resolveCommitted(held, batch)) return
    if (this.#losses < LOSSES_MAX) {
      const made = await this.#make(held, batch)
      const result = made?.turn ? await commits.commit(made.turn, remainingWait(batch)) : null
      return this.#settle(held, batch, made, result)
    }
    const { made, result } = await commits.commitAlone(held.channel_id, async () => {
      await held.refresh()
      return this.#make(held, batch)
    })
    return this.#settle(held, batch, made, result)
  }

  /** Null if this instance doesn't know the whole log. */
  async #make(held: HeldDocument, waiting: PendingMutation[]): Promise<Made | null> {
    const { live, log_head } = held
    if (!live || !log_head) return null
    const batch = await fittingMutations(this.#deps.sql, live, waiting)
    const mutations = batch.map(({ request }) => request.mutation)
    const prefetched = await prefetch(this.#deps.sql, live, mutations)
    if (isBehind(live, prefetched.cards) && !(await logEndsAt(held, log_head))) return null
    const context = await this.#context(log_head, batch)
    return { ...makeTurn(live, prefetched, batch, context), context }
  }

  async #settle(
    held: HeldDocument,
    batch: PendingMutation[],
    made: Made | null,
    result: CommitResult | null,
  ): Promise<void> {
    if (!made) return result ? pause() : undefined
    const { applied, rejected, turn, context } = made
    if (result?.kind === 'unknown' && turn)
      for (const { pending, outcome } of applied) pending.tried.set(turn.turn_id, outcome)
    if (result && result.kind !== 'committed') return this.#discardTurn(held, result, batch, context)
    if (turn && result) this.#committed(held, turn, result.used, made)
    // Without an append, nothing else checks that this instance knew the whole log.
    else if (!(await logEndsAt(held, context.log_head))) return
    else for (const { pending, outcome } of applied) pending.resolve(outcome)
    // If an earlier try of a mutation was committed after all, it may be rejected now because of its own effect.
    await this.#resolveCommitted(
      held,
      rejected.map(({ pending }) => pending),
    )
    for (const { pending, error } of rejected) if (!pending.settled) pending.reject(error)
  }

  #committed(held: HeldDocument, turn: Turn, used: number | null, { applied, context }: Made): void {
    const { quota } = this.#deps
    const { owner_id, day, log_head } = context
    this.#losses = 0
    if (used !== null) quota.learn(owner_id, day, used)
    // The owner's other channels may have used cards meanwhile.
    const { left, limits } = context.quota
    const used_elsewhere = (left.cards ?? 0) - turn.spent.cards - ((limits.cards ?? 0) - (used ?? 0))
    const resolveAll = () => {
      for (const { pending, outcome } of applied) pending.resolve(subtractRemaining(outcome, used_elsewhere))
    }
    // If mutations wait, their turn's statement leaves first, so that the database works while the responses are written.
    for (const { pending } of applied) pending.settled = true
    if (this.#queue.length > 0) setImmediate(resolveAll)
    else resolveAll()
    this.#publish(held, log_head, turn)
    for (const { pending } of applied) pending.request.committed?.(held)
  }

  async #context(log_head: LogHead, batch: PendingMutation[]): Promise<TurnContext> {
    const { quota, history, public_url, sign } = this.#deps
    const now = this.#deps.now()
    const day = utcDay(now)
    const owner_id = batch[0]?.request.owner_id ?? ''
    if (batch.some(({ request }) => COUNTED.has(request.mutation.kind))) await quota.open(owner_id, day)
    const left = { limits: quota.limits, left: quota.remaining(owner_id, day) }
    return { log_head, history: history.current, owner_id, now, day, quota: left, public_url, sign }
  }

  #publish(held: HeldDocument, log_head: LogHead, made: Turn): void {
    const { channel_id, update, clock, next_position, card_count, also } = made
    const seq = log_head.seq + 1
    held.advance(update, { ...log_head, seq, clock, next_position, card_count })
    this.#document.takeSnapshotIfDue()
    // If `also` wrote rows, the notice lacks the turn, so that other instances read the document's row again.
    const turn = also.length === 0 ? { clock, next_position, card_count, update } : undefined
    this.#deps.committed({ kind: 'grown', channel_id, epoch: log_head.epoch, seq, turn })
  }

  /** The turn isn't in the log, or may not be. Its mutations stay queued and are tried again, unless they fail here. */
  async #discardTurn(
    held: HeldDocument,
    result: Exclude<CommitResult, { kind: 'committed' }>,
    batch: PendingMutation[],
    { owner_id, day, now }: TurnContext,
  ): Promise<void> {
    held.discardLive()
    switch (result.kind) {
      case 'lost':
        this.#losses++
        return void (await held.refresh())
      case 'history':
        return this.#deps.history.check()
      case 'over_quota':
        await this.#deps.quota.refresh(owner_id, day)
        // The turn only estimates what a press adds. A press that is alone must not be tried for ever.
        if (batch.some(({ request }) => request.mutation.kind === 'press'))
          this.#fail(batch, dailyBytesReached(now))
        return
      case 'key_taken':
        return this.#fail(batch, new KeyTaken())
      case 'unknown':
      case 'unavailable':
        return pause()
      case 'failed':
        this.#fail(batch, result.error)
    }
  }

  /** One mutation's error must not fail the others, so each gets a turn of its own. */
  #fail(batch: PendingMutation[], error: unknown): void {
    const open = batch.filter(({ settled }) => !settled)
    const [only] = open
    if (only && open.length === 1) only.reject(error)
    else for (const pending of open) pending.alone = true
  }

  /** Resolves mutations that an earlier turn committed after all, and returns whether there are any. */
  async #resolveCommitted(held: HeldDocument, batch: PendingMutation[]): Promise<boolean> {
    const ids = batch.flatMap(({ tried }) => [...tried.keys()])
    if (ids.length === 0) return false
    // Refresh first: a turn that is committed after this read makes the next append fail.
    await held.refresh()
    const rows = await this.#deps.sql<{ turn_id: string }[]>`
      select turn_id from document_updates
      where channel_id = ${held.channel_id} and turn_id = any(${ids}::uuid[])`
    for (const { turn_id } of rows)
      for (const { tried, resolve } of batch) {
        const outcome = tried.get(turn_id)
        if (outcome) resolve(outcome)
      }
    if (rows.length > 0) await held.refresh()
    return rows.length > 0
  }
}

async function logEndsAt(held: HeldDocument, { seq }: LogHead): Promise<boolean> {
  return (await held.refresh())?.seq === seq
}

function subtractRemaining(outcome: Outcome, cards: number): Outcome {
  if (outcome.kind !== 'inserted' || outcome.remaining === null) return outcome
  return { ...outcome, remaining: Math.max(0, outcome.remaining - cards) }
}

const pause = () => delay(RETRY_MS)
