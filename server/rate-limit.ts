// Headers with what is left of a daily limit (draft-ietf-httpapi-ratelimit-headers), and the error when nothing is left.
import { tooMany } from './errors.ts'

export type DailyLimit = 'cards' | 'channels'

/** `2026-01-31` */
export const utcDay = (now: number) => new Date(now).toISOString().slice(0, 10)

export const secondsToMidnight = (now: number) => Math.ceil((86_400_000 - (now % 86_400_000)) / 1000)

export function rateLimitHeaders(
  name: DailyLimit,
  limit: number | null,
  remaining: number,
  now: number,
): Record<string, string> {
  if (limit === null) return {}
  return {
    'RateLimit-Policy': `"${name}";q=${limit};w=86400`,
    RateLimit: `"${name}";r=${Math.max(0, remaining)};t=${secondsToMidnight(now)}`,
  }
}

export function dailyLimitReached(name: DailyLimit, limit: number, now: number) {
  const code = name === 'cards' ? 'daily_card_limit' : 'daily_channel_limit'
  return tooMany(code, secondsToMidnight(now), rateLimitHeaders(name, limit, 0, now))
}

export const dailyBytesReached = (now: number) => tooMany('daily_byte_limit', secondsToMidnight(now))
