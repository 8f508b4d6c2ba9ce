// Looks names up for deliveries, a few at a time and shared between owners: a name that nobody answers for occupies a
// thread for up to half a minute.
import { type LookupAllOptions, lookup } from 'node:dns'
import type { Resolve } from './address-guard.ts'
import { FairShare } from './fair-share.ts'

type Answer = Parameters<Resolve>[2]
type Wanted = { owner_id: string; hostname: string; options: LookupAllOptions; answer: Answer }

/** libuv gives lookups half of its threads and lets the rest wait in one line, where nobody could be fair. */
const LOOKUPS = Math.ceil((Number(process.env.UV_THREADPOOL_SIZE) || 4) / 2)

export class FairLookups {
  readonly #resolve: Resolve
  readonly #share: FairShare
  /** Who waits for an answer, by what was asked. */
  readonly #running = new Map<string, Answer[]>()
  readonly #line = new Set<Wanted>()

  /** `most`: lookups at the same time. */
  constructor(resolve: Resolve = lookup, most = LOOKUPS) {
    this.#resolve = resolve
    this.#share = new FairShare(most)
  }

  /** Looks up for this owner. Once `over` is aborted nobody wants the answer, and what has not begun never does. */
  of(owner_id: string, over: AbortSignal): Resolve {
    return (hostname, options, answer) => {
      const wanted = { owner_id, hostname, options, answer }
      this.#line.add(wanted)
      over.addEventListener('abort', () => this.#line.delete(wanted), { once: true })
      this.#begin()
    }
  }

  /** Begins what may begin: of the owner with the fewest lookups first, then in the order of asking. */
  #begin(): void {
    for (const wanted of this.#line) {
      const answers = this.#running.get(keyOf(wanted))
      if (!answers) continue
      answers.push(wanted.answer)
      this.#line.delete(wanted)
    }
    const [first] = [...this.#line].sort(
      (one, other) => this.#share.held(one.owner_id) - this.#share.held(other.owner_id),
    )
    if (!first || !this.#share.mayTake(first.owner_id)) return
    this.#look(first)
    this.#begin()
  }

  #look(wanted: Wanted): void {
    const { owner_id, hostname, options, answer } = wanted
    const key = keyOf(wanted)
    const answers = [answer]
    this.#line.delete(wanted)
    this.#running.set(key, answers)
    this.#share.take(owner_id)
    this.#resolve(hostname, options, (error, addresses) => {
      this.#running.delete(key)
      this.#share.giveBack(owner_id)
      for (const answer of answers) answer(error, addresses)
      this.#begin()
    })
  }
}

function keyOf({ hostname, options }: Wanted): string {
  return `${hostname} ${options.family} ${options.hints}`
}
