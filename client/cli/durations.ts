// Times on the command line: 90s, 10m, 1h, 2d, 1h30m.
import { InvalidArgumentError } from 'commander'

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }
/** The longest that a timer can run. */
const TIMER_MAX_S = 24 * 86_400

/** In seconds. A bare number counts seconds. */
export function parseDuration(text: string): number {
  const full = /^\d+$/.test(text) ? `${text}s` : text
  const parts = [...full.matchAll(/(\d{1,9})([smhd])/g)]
  const seconds = parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0)
  if (parts.map(([part]) => part).join('') !== full || seconds === 0)
    throw new InvalidArgumentError('Write a time such as 90s, 10m, 1h or 2d.')
  return seconds
}

export function parseTimeout(text: string): number {
  const seconds = parseDuration(text)
  if (seconds > TIMER_MAX_S) throw new InvalidArgumentError('It must be at most 24d.')
  return seconds
}
