// One question, named by its handle.
import type { z } from 'zod'
import { newUuid } from '../shared/characters.ts'
import type { FullDecision } from '../shared/decision.ts'
import type { decideBody } from '../shared/interaction.ts'
import type { SignedDecision } from '../shared/signed-decision.ts'
import { invalidInput, type Requester, segment } from './requester.ts'
import { type AskAnswer, type WaitOptions, waitForAnswer } from './wait.ts'

/** What a press may carry. `seen`: the card's `updated_at`, which a question with `if_changed: 'refuse'` requires. */
export type DecideOptions = Omit<z.input<typeof decideBody>, 'button_id'>

export class DecisionHandle {
  /** `{channel_id}/{decision_id}`: not a secret, and valid as long as the question is stored. */
  readonly handle: string
  readonly #requester: Requester
  readonly #path: string

  constructor(requester: Requester, handle: string) {
    const [channel_id, decision_id, ...rest] = handle.split('/')
    if (!channel_id || !decision_id || rest.length > 0)
      throw invalidInput('handle', 'must be {channel_id}/{decision_id}')
    this.handle = handle
    this.#requester = requester
    this.#path = `/channels/${segment(channel_id)}/decisions/${segment(decision_id)}`
  }

  get(): Promise<FullDecision> {
    return this.#requester.request('GET', this.#path)
  }

  /**
   * Resolves if the question is decided. Otherwise it throws `DecisionExpired`, `DecisionCancelled`, or `StillWaiting` when
   * its own `timeout` is over.
   */
  wait(options: WaitOptions = {}): Promise<AskAnswer> {
    return waitForAnswer(this.#requester, { handle: this.handle, path: this.#path }, options, false)
  }

  /** Presses a button, as an agent. The question must allow `agents`, and this key must not be the one that asked. */
  decide(button_id: string, options: DecideOptions = {}): Promise<FullDecision> {
    const body = { interaction_id: newUuid(), ...options, button_id }
    return this.#requester.request('POST', this.#path, body, { repeatable: true })
  }

  /** Closes the question for everyone. Throws a `ConflictError` if it is decided. */
  async cancel(): Promise<FullDecision> {
    return (await this.#requester.request<FullDecision | undefined>('DELETE', this.#path)) ?? this.get()
  }

  /** The signature, with what was signed. */
  signed(): Promise<SignedDecision> {
    return this.#requester.request('GET', `${this.#path}/signed`)
  }
}
