// How long ago something was, in the viewer's language.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats by language list: creating them is slow. */
const formatsFor = new Map<string, ReturnType<typeof makeFormats>>()

function makeFormats(languages: readonly string[]) {
  const locales = [...languages]
  const relative = new Intl.RelativeTimeFormat(locales, { numeric: 'auto', style: 'short' })
  return {
    relative,
    language: relative.resolvedOptions().locale,
    thisYear: lazy(() => new Intl.DateTimeFormat(locales, { day: 'numeric', month: 'short' })),
    otherYear: lazy(
      () => new Intl.DateTimeFormat(locales, { day: 'numeric', month: 'short', year: 'numeric' }),
    ),
    exact: new Intl.DateTimeFormat(locales, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    }),
  }
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function formatsOf(languages: readonly string[]) {
  const key = languages.join()
  const formats = formatsFor.get(key) ?? makeFormats(languages)
  formatsFor.set(key, formats)
  return formats
}

/** `iso` is an ISO 8601 time, `now` in milliseconds. A time in the future counts as now, because clocks differ. */
export function relativeTime(iso: string, now: number, languages: readonly string[]): string {
  const { relative, language, thisYear, otherYear } = formatsOf(languages)
  const date = new Date(iso)
  const ago = now - date.getTime()
  if (ago < MINUTE) return isEnglish(language) ? 'just now' : relative.format(0, 'second')
  if (ago < HOUR) return relative.format(-Math.floor(ago / MINUTE), 'minute')
  if (ago < DAY) return relative.format(-Math.floor(ago / HOUR), 'hour')
  if (ago < 7 * DAY) return relative.format(-Math.round((midnight(now) - midnight(date)) / DAY), 'day')
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return (sameYear ? thisYear() : otherYear()).format(date)
}

export function exactTime(iso: string, languages: readonly string[]): string {
  return formatsOf(languages).exact.format(new Date(iso))
}

/** The language of the formatted times: the first of the viewer's languages that the browser knows. */
export function languageOf(languages: readonly string[]): string {
  return formatsOf(languages).language
}

/** The start of the day in the viewer's time zone: "yesterday" is a calendar day, however many hours ago. */
const midnight = (date: number | Date) => new Date(date).setHours(0, 0, 0, 0)

const isEnglish = (language: string) => /^en\b/.test(language)
