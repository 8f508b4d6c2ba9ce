// How long ago something was, in the viewer's language.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const DAY_AND_MONTH = { day: 'numeric', month: 'short' } as const
const DATE = { ...DAY_AND_MONTH, year: 'numeric' } as const
const TIME = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const

/** The first of `languages` that the browser knows is used. */
export function makeTimeWords(languages: string[]) {
  const relative = new Intl.RelativeTimeFormat(languages, { numeric: 'auto', style: 'short' })
  const dayAndMonth = new Intl.DateTimeFormat(languages, DAY_AND_MONTH)
  const date = new Intl.DateTimeFormat(languages, DATE)
  const exact = new Intl.DateTimeFormat(languages, { weekday: 'short', ...DATE, ...TIME })
  const language = relative.resolvedOptions().locale

  /** `now` is in milliseconds. A time in the future counts as now, because clocks differ. */
  function relativeTime(iso: string, now: number): string {
    const time = new Date(iso)
    const ago = now - time.getTime()
    if (ago < MINUTE) return /^en\b/.test(language) ? 'just now' : relative.format(0, 'second')
    if (ago < HOUR) return relative.format(-Math.floor(ago / MINUTE), 'minute')
    if (ago < DAY) return relative.format(-Math.floor(ago / HOUR), 'hour')
    if (ago < 7 * DAY) return relative.format(-Math.round((midnight(now) - midnight(time)) / DAY), 'day')
    const sameYear = time.getFullYear() === new Date(now).getFullYear()
    return (sameYear ? dayAndMonth : date).format(time)
  }

  return { language, relativeTime, exactTime: (iso: string) => exact.format(new Date(iso)) }
}

/** In the viewer's time zone. "Yesterday" means the calendar day, however many hours ago. */
const midnight = (time: number | Date) => new Date(time).setHours(0, 0, 0, 0)
