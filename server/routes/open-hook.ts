// The response to a hook that waits: it begins once the card is stored, and ends with one JSON object when the question does.
// A hook is never repeated, so its question ends with its connection.
import type { ServerResponse } from 'node:http'
import type { PlacedCard } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { isQuestionBlock } from '../../shared/decision-rules.ts'
import type { QuestionRef } from '../decisions/end-question.ts'
import { getDecision } from '../decisions/reads.ts'
import { type DecisionRecord, fullForm } from '../decisions/rows.ts'
import type { Recipient, WaitingCaller } from '../decisions/waits.ts'
import { ApiError } from '../errors.ts'
import type { HookOutcome } from '../hooks/hook.ts'
import type { RouteDeps } from './deps.ts'

/** In milliseconds, and in one object so that tests can shorten them. */
export const HOOK_TIMES = {
  /** Proxies keep a connection on which something comes from time to time. JSON may begin with newlines. */
  newline: 15_000,
  /** After the deadline. Until then, a sweep has usually written that the question has expired. */
  swept: 1_000,
}

type HookDeps = Pick<
  RouteDeps,
  'sql' | 'log' | 'metrics' | 'waits' | 'expiry' | 'endQuestion' | 'public_url' | 'now'
>

export class OpenHook implements Recipient {
  readonly repeats = false
  readonly #response: ServerResponse
  readonly #card: PlacedCard
  readonly #question: QuestionRef
  readonly #deadline: number
  readonly #answer: (outcome: HookOutcome | null) => object
  readonly #deps: HookDeps
  #newlines: NodeJS.Timeout | undefined

  /** `answer`: in the form of the host; null if nobody decided. */
  constructor(
    response: ServerResponse,
    owner_id: string,
    card: PlacedCard,
    answer: (outcome: HookOutcome | null) => object,
    deps: HookDeps,
  ) {
    const block = card.blocks.find(isQuestionBlock)
    if (!block) throw new Error('the card of a hook asks nothing')
    const { id: decision_id, expires_at } = block.decision
    this.#response = response
    this.#card = card
    this.#question = { channel_id: card.channel_id, owner_id, card_id: card.id, decision_id }
    this.#deadline = Date.parse(expires_at ?? '')
    this.#answer = answer
    this.#deps = deps
  }

  /** Begins the response. `closed` runs when its connection is over. Throws 429 beyond a limit of waits. */
  open(caller: WaitingCaller, closed: () => void): void {
    const response = this.#response
    // The client has left, or the card came so late that 503 was the answer.
    if (response.destroyed || response.headersSent) {
      closed()
      return void this.#abandon()
    }
    const { waits } = this.#deps
    const wait = this.#wait(caller)
    response.once('close', () => {
      clearInterval(this.#newlines)
      closed()
      if (waits.remove(wait)) void this.#abandon()
    })
    this.#begin()
  }

  answer(decision: FullDecision): void {
    this.#end(decision).then(
      ended => this.#finish(this.#outcomeOf(ended)),
      error => this.refuse(error),
    )
  }

  refuse(error: unknown): void {
    if (!(error instanceof ApiError)) this.#deps.log.warn({ err: error }, 'an open hook failed')
    this.#finish(null)
    void this.#abandon()
  }

  #wait(caller: WaitingCaller) {
    const { waits, now } = this.#deps
    const { channel_id, decision_id: id } = this.#question
    try {
      return waits.add({ id, channel_id }, caller, this.#deadline - now() + HOOK_TIMES.swept, this, true)
    } catch (error) {
      void this.#abandon()
      throw error
    }
  }

  #begin(): void {
    this.#deps.metrics.requests.inc({ method: 'POST', status: 200 })
    this.#response.writeHead(200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    })
    this.#response.write('\n')
    this.#newlines = setInterval(
      () => this.#response.destroyed || this.#response.write('\n'),
      HOOK_TIMES.newline,
    )
  }

  #finish(outcome: HookOutcome | null): void {
    clearInterval(this.#newlines)
    if (!this.#response.destroyed) this.#response.end(JSON.stringify(this.#answer(outcome)))
  }

  /** The question as it ended. If it still waits, it ends now: of a press and this end, the first in the log wins. */
  async #end(decision: FullDecision): Promise<FullDecision> {
    if (decision.state !== 'waiting') return decision
    const { expiry, endQuestion, public_url } = this.#deps
    const record = await expiry.current(await this.#read(), this.#question.owner_id)
    if (record.decision.state !== 'waiting') return fullForm(record, public_url)
    await endQuestion(this.#question, 'abandon')
    return fullForm(await this.#read(), public_url)
  }

  #read(): Promise<DecisionRecord> {
    const { channel_id, decision_id } = this.#question
    return getDecision(this.#deps.sql, channel_id, decision_id)
  }

  /** Null as well if somebody changed the card: then the person may have seen other arguments than those of the agent. */
  #outcomeOf({ state, outcome }: FullDecision): HookOutcome | null {
    return state === 'decided' && outcome?.card_updated_at === this.#card.updated_at ? outcome : null
  }

  async #abandon(): Promise<void> {
    try {
      await this.#deps.endQuestion(this.#question, 'abandon')
    } catch (error) {
      // Its lease ends the question later. It is gone with a deleted channel.
      const { channel_id, decision_id } = this.#question
      if (!(error instanceof ApiError && error.status === 404))
        this.#deps.log.warn({ err: error, channel_id, decision_id }, 'could not end the question of a hook')
    }
  }
}
