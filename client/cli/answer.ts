// How `ask` and `wait` end: with the choice of a person, or interrupted.
import type { AskAnswer } from '../wait.ts'
import { EXIT, interrupted } from './failure.ts'
import type { Output } from './output.ts'
import { printableLine } from './printable.ts'

export function printAnswer(output: Output, answer: AskAnswer): void {
  // Before the first byte, so that a closed pipe can't turn it into 0.
  process.exitCode = answer.approved ? EXIT.done : EXIT.not_approved
  output.result(answer, printableLine(answer.choice))
  const { by, label, comment } = answer
  const words = `${by.name ?? 'Someone'} chose ${label}${comment ? `: ${comment}` : ''}`
  output.note(printableLine(words))
}

/** `handle`: of a question that stays open. */
export function endInterrupted(output: Output, handle: string): never {
  if (handle !== '') output.warn(`The question stays open. Continue with:\nchannel-feed wait ${handle}`)
  throw interrupted()
}
