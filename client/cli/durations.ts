// Times on the command line.
import { InvalidArgumentError } from 'commander'
import { secondsIn } from '../duration.ts'

/** The longest that a timer can run. */
const TIMER_MAX_S = 24 * 86_400

export function parseDuration(text: string): number {
  const seconds = secondsIn(text)
  if (seconds === null) throw new InvalidArgumentError('Write a time such as 90s, 10m, 1h or 2d.')
  return seconds
}

export function parseTimeout(text: string): number {
  const seconds = parseDuration(text)
  if (seconds > TIMER_MAX_S) throw new InvalidArgumentError('It must be at most 24d.')
  return seconds
}
