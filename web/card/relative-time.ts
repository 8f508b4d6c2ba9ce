// Says how long ago something was, in the words people use. Pure: it takes `now`.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const thisYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' })

/** `iso` is an ISO 8601 time, `now` milliseconds. A clock that is a little ahead of ours counts as now. */
export function relativeTime(iso: string, now: number): string {
  const date = new Date(iso)
  const ago = now - date.getTime()
  if (ago < MINUTE) return 'just now'
  if (ago < HOUR) return relative.format(-Math.floor(ago / MINUTE), 'minute')
  if (ago < DAY) return relative.format(-Math.floor(ago / HOUR), 'hour')
  if (ago < 7 * DAY) return relative.format(-Math.floor(ago / DAY), 'day')
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return (sameYear ? thisYear : otherYear).format(date)
}

export function exactTime(iso: string): string {
  return exact.format(new Date(iso))
}
