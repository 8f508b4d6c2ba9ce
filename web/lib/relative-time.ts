// How long ago something was, in the viewer's language.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Languages = readonly string[]

/** Creating a format is slow, so each is created once for a list of languages. */
function once<T>(create: (languages: string[]) => T): (languages: Languages) => T {
  const created = new Map<string, T>()
  return languages => {
    const key = languages.join()
    const format = created.get(key) ?? create([...languages])
    created.set(key, format)
    return format
  }
}

const relative = once(
  languages => new Intl.RelativeTimeFormat(languages, { numeric: 'auto', style: 'short' }),
)
const dayAndMonth = once(languages => new Intl.DateTimeFormat(languages, { day: 'numeric', month: 'short' }))
const date = once(
  languages => new Intl.DateTimeFormat(languages, { day: 'numeric', month: 'short', year: 'numeric' }),
)
const exact = once(
  languages =>
    new Intl.DateTimeFormat(languages, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    }),
)

/** The language of the formatted times: the first of the viewer's languages that the browser knows. */
export const languageOf = once(languages => relative(languages).resolvedOptions().locale)

/** `iso` is an ISO 8601 time, `now` in milliseconds. A time in the future counts as now, because clocks differ. */
export function relativeTime(iso: string, now: number, languages: Languages): string {
  const time = new Date(iso)
  const ago = now - time.getTime()
  const before = (count: number, unit: 'second' | 'minute' | 'hour' | 'day') =>
    relative(languages).format(-count, unit)
  if (ago < MINUTE) return /^en\b/.test(languageOf(languages)) ? 'just now' : before(0, 'second')
  if (ago < HOUR) return before(Math.floor(ago / MINUTE), 'minute')
  if (ago < DAY) return before(Math.floor(ago / HOUR), 'hour')
  if (ago < 7 * DAY) return before(Math.round((midnight(now) - midnight(time)) / DAY), 'day')
  const sameYear = time.getFullYear() === new Date(now).getFullYear()
  return (sameYear ? dayAndMonth : date)(languages).format(time)
}

export const exactTime = (iso: string, languages: Languages) => exact(languages).format(new Date(iso))

/** The start of the day in the viewer's time zone: "yesterday" is a calendar day, however many hours ago. */
const midnight = (time: number | Date) => new Date(time).setHours(0, 0, 0, 0)
