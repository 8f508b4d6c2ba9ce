// Times as people write them: 90s, 10m, 1h, 2d, 1h30m.

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** In seconds. A bare number counts seconds. Null for anything else, and for no time at all. */
export function secondsIn(text: string): number | null {
  const full = /^\d+$/.test(text) ? `${text}s` : text
  const parts = [...full.matchAll(/(\d{1,9})([smhd])/g)]
  const seconds = parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0)
  return parts.map(([part]) => part).join('') === full && seconds > 0 ? seconds : null
}
