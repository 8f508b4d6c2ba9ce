// How long the page waits for IndexedDB. In some browsers it doesn't respond after a crash or an update, or only late.
import { patience } from '../../lib/patience.ts'

/** For the first answer. Later ones take as long as they take. */
const FIRST_ANSWER_MS = 1_000

/** Call it for each store. */
export function makeAnswers() {
  let state: 'unknown' | 'answers' | 'silent' = 'unknown'

  /** The store has done something, or refused to. */
  function onAnswer(): void {
    state = 'answers'
  }

  /**
   * Resolves to undefined if the store doesn't answer in time. The work goes on, and once the store answers, it is waited for
   * again.
   */
  function inTime<T>(work: Promise<T>): Promise<T | undefined> {
    if (state === 'answers') return work
    const late = patience(state === 'silent' ? 0 : FIRST_ANSWER_MS).then(() => {
      // After the computer slept, the timer may fire before an answer that is already there.
      return patience(0).then(() => {
        if (state === 'answers') return work
        state = 'silent'
        return undefined
      })
    })
    return Promise.race([work, late])
  }

  return { onAnswer, inTime }
}
