// When something was, in the viewer's language: how long ago, by the clock, and on which day.
import { capitalized } from './capitalized.ts'
import { makeTimeFormat } from './time-format.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const DAY_AND_MONTH = { day: 'numeric', month: 'short' } as const
const DATE = { ...DAY_AND_MONTH, year: 'numeric' } as const
const MINUTES = { minute: '2-digit' } as const
const SECONDS = { ...MINUTES, second: '2-digit' } as const
const WEEKDAY = { weekday: 'short', ...DAY_AND_MONTH } as const

/** The first of `languages` that the browser knows is used. */
export function makeTimeWords(languages: string[]) {
  // Each is made when it is first used: that takes the browser long, and the first cards need only two of them.
  const withDates = (options: Intl.DateTimeFormatOptions) =>
    makeOnce(() => new Intl.DateTimeFormat(languages, options))
  const withTimes = (options: Intl.DateTimeFormatOptions) =>
    makeOnce(() => makeTimeFormat(languages, options))
  const relative = makeOnce(() => new Intl.RelativeTimeFormat(languages, { numeric: 'auto', style: 'short' }))
  const relativeDay = makeOnce(() => new Intl.RelativeTimeFormat(languages, { numeric: 'auto' }))
  const dayAndMonth = withDates(DAY_AND_MONTH)
  const date = withDates(DATE)
  const weekday = withDates(WEEKDAY)
  const weekdayAndYear = withDates({ weekday: 'short', ...DATE })
  const clock = withTimes(MINUTES)
  const exact = withTimes({ weekday: 'short', ...DATE, ...SECONDS })
  const language = clock().resolvedOptions().locale

  /** `now` is in milliseconds. A time in the future counts as now, because clocks differ. */
  function relativeTime(iso: string, now: number): string {
    const time = new Date(iso)
    const ago = now - time.getTime()
    if (ago < MINUTE) return /^en\b/.test(language) ? 'just now' : relative().format(0, 'second')
    if (ago < HOUR) return relative().format(-Math.floor(ago / MINUTE), 'minute')
    if (ago < DAY) return relative().format(-Math.floor(ago / HOUR), 'hour')
    if (ago < 7 * DAY) return relative().format(-Math.round((midnight(now) - midnight(time)) / DAY), 'day')
    const sameYear = time.getFullYear() === new Date(now).getFullYear()
    return (sameYear ? dayAndMonth : date)().format(time)
  }

  /** `name`: today, yesterday, or the date; the first two also have a `date`. */
  function dayWords(iso: string, now: number): { name: string; date?: string } {
    const time = new Date(iso)
    const ago = Math.round((midnight(now) - midnight(time)) / DAY)
    if (ago <= 1)
      return {
        name: capitalized(relativeDay().format(-Math.max(0, ago), 'day'), language),
        date: weekday().format(time),
      }
    const sameYear = time.getFullYear() === new Date(now).getFullYear()
    return { name: (sameYear ? weekday : weekdayAndYear)().format(time) }
  }

  /** The time, and before it the date if it isn't the day of `sameDayAs`. */
  function clockTime(iso: string, sameDayAs = iso): string {
    const time = clock().format(new Date(iso))
    return dayOf(iso) === dayOf(sameDayAs) ? time : `${dayAndMonth().format(new Date(iso))}, ${time}`
  }

  return {
    language,
    relativeTime,
    dayWords,
    clockTime,
    exactTime: (iso: string) => exact().format(new Date(iso)),
  }
}

/** Returns a function that calls `make` once, when its value is first needed. */
function makeOnce<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The day in the viewer's time zone, as a number that only this function gives a meaning. */
export const dayOf = (iso: string): number => midnight(new Date(iso))

/** In the viewer's time zone. "Yesterday" means the calendar day, however many hours ago. */
const midnight = (time: number | Date) => new Date(time).setHours(0, 0, 0, 0)
