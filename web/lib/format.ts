// Times and numbers in the viewer's languages.
import { viewerLanguages } from './languages.ts'
import { makeTimeFormat } from './time-format.ts'

const languages = viewerLanguages()

const numberFormat = (options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(languages, options).format

function dateFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const { format } = new Intl.DateTimeFormat(languages, options)
  return iso => format(new Date(iso))
}

const DAY = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const milliseconds = numberFormat({ style: 'unit', unit: 'millisecond' })
const seconds = numberFormat({ style: 'unit', unit: 'second', maximumFractionDigits: 1 })

export const formatNumber = numberFormat()

const mebibytes = numberFormat({ maximumFractionDigits: 1 })
/** `12.3 MB`, as 1,048,576 bytes each. */
export const formatBytes = (bytes: number) => `${mebibytes(bytes / 1_048_576)} MB`
export const formatDateTime = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })
export const formatMinute = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
export const formatDate = dateFormat({ dateStyle: 'medium' })
/** `formatDay` and `formatWeekday` take a UTC day, such as `2026-01-31`. */
export const formatDay = dateFormat(DAY)
export const formatWeekday = dateFormat({ weekday: 'short', ...DAY })
export const formatClock = dateFormat({ timeStyle: 'medium' })
const longDay = { weekday: 'short', day: 'numeric', month: 'short' } as const
const dayOfThisYear = dateFormat(longDay)
const dayOfAnyYear = dateFormat({ ...longDay, year: 'numeric' })
export function formatLongDay(iso: string): string {
  const isThisYear = new Date(iso).getFullYear() === new Date().getFullYear()
  return isThisYear ? dayOfThisYear(iso) : dayOfAnyYear(iso)
}
/** With the date, unless it is today. */
export const formatMoment = (iso: string) =>
  Date.parse(iso) >= new Date().setHours(0, 0, 0, 0) ? formatClock(iso) : formatDateTime(iso)
const { format: timeOf } = makeTimeFormat(languages, { minute: '2-digit' })
export const formatTime = (iso: string) => timeOf(new Date(iso))
const dayOfWeek = dateFormat({ weekday: 'short' })
const dayAndMonth = dateFormat({ day: 'numeric', month: 'short' })
const DAY_MS = 86_400_000
/** The time today, the weekday within the last six days, otherwise the date. */
export function formatShortTime(iso: string, now = Date.now()): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  const time = Date.parse(iso)
  if (time >= midnight) return formatTime(iso)
  return time >= midnight - 6 * DAY_MS ? dayOfWeek(iso) : dayAndMonth(iso)
}
export const formatDuration = (ms: number) => (ms < 1_000 ? milliseconds(ms) : seconds(ms / 1_000))

export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
