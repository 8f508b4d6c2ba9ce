// How long ago something was, in the viewer's language.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Languages = readonly string[]

/** Creating a format is slow, so each is created once per list of languages. */
function once<T>(create: (languages: string[]) => T): (languages: Languages) => T {
  const created = new Map<string, T>()
  return languages => {
    const key = languages.join()
    const format = created.get(key) ?? create([...languages])
    created.set(key, format)
    return format
  }
}

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  once(languages => new Intl.DateTimeFormat(languages, options))

const DAY_AND_MONTH = { day: 'numeric', month: 'short' } as const
const DATE = { ...DAY_AND_MONTH, year: 'numeric' } as const
const TIME = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const
const relative = once(
  languages => new Intl.RelativeTimeFormat(languages, { numeric: 'auto', style: 'short' }),
)
const dayAndMonth = dateFormat(DAY_AND_MONTH)
const date = dateFormat(DATE)
const exact = dateFormat({ weekday: 'short', ...DATE, ...TIME })

/** The first of the viewer's languages that the browser knows. */
export const languageOf = once(languages => relative(languages).resolvedOptions().locale)

/** `now` is in milliseconds. A time in the future counts as now, because clocks differ. */
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

/** In the viewer's time zone. "Yesterday" means the calendar day, however many hours ago. */
const midnight = (time: number | Date) => new Date(time).setHours(0, 0, 0, 0)
