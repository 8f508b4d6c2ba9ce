// Times and numbers in the viewer's languages.
import { viewerLanguages } from './languages.ts'

const languages = viewerLanguages()
const number = new Intl.NumberFormat(languages)
const dateTime = new Intl.DateTimeFormat(languages, { dateStyle: 'medium', timeStyle: 'medium' })
const minute = new Intl.DateTimeFormat(languages, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(languages, { dateStyle: 'medium' })
const day = new Intl.DateTimeFormat(languages, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat(languages, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const shortTime = new Intl.DateTimeFormat(languages, { hour: 'numeric', minute: '2-digit' })
const milliseconds = new Intl.NumberFormat(languages, { style: 'unit', unit: 'millisecond' })
const seconds = new Intl.NumberFormat(languages, {
  style: 'unit',
  unit: 'second',
  maximumFractionDigits: 1,
})

export const formatNumber = (value: number) => number.format(value)
export const formatDateTime = (iso: string) => dateTime.format(new Date(iso))
export const formatMinute = (iso: string) => minute.format(new Date(iso))
export const formatDate = (iso: string) => date.format(new Date(iso))
/** Takes a UTC day, `2026-01-31`; so does `formatWeekday`. */
export const formatDay = (iso: string) => day.format(new Date(iso))
export const formatWeekday = (iso: string) => weekday.format(new Date(iso))
export const formatTime = (iso: string) => shortTime.format(new Date(iso))

export function formatDuration(ms: number): string {
  return ms < 1_000 ? milliseconds.format(ms) : seconds.format(ms / 1_000)
}

export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
