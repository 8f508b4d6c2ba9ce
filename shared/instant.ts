// Times in requests: the form, and that the day exists. `Date.parse` takes 30 February for 2 March.
import { z } from 'zod'

const day = z.iso.date()
const INSTANT = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** A time with its offset. */
export const isInstant = (value: string) => INSTANT.test(value) && isTime(value)

export const isDayOrInstant = (value: string) => day.safeParse(value).success || isInstant(value)

const isTime = (value: string) =>
  day.safeParse(value.slice(0, 10)).success && Date.parse(value) <= LAST_INSTANT
