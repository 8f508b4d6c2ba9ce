// The values of a question's fields as people write them: addresses, and how long it waits. Pure.
export type Unit = { name: string; seconds: number }

export const UNITS: Unit[] = [
  { name: 'minutes', seconds: 60 },
  { name: 'hours', seconds: 3_600 },
  { name: 'days', seconds: 86_400 },
]
const [MINUTES = { name: 'minutes', seconds: 60 }] = UNITS

/** In seconds. */
export const COMMON_DEADLINES = [
  { value: 900, label: '15 minutes' },
  { value: 3_600, label: '1 hour' },
  { value: 14_400, label: '4 hours' },
  { value: 86_400, label: '1 day' },
  { value: 604_800, label: '1 week' },
]

/** The seconds in the unit, or else in the largest one that needs no fraction. Other values stay as they are. */
export function amountOf(value: unknown, unit?: Unit): { text: string; unit: Unit } {
  if (typeof value !== 'number')
    return { text: typeof value === 'string' ? value : '', unit: unit ?? MINUTES }
  const fits = unit ?? UNITS.findLast(({ seconds }) => value % seconds === 0) ?? MINUTES
  return { text: String(value / fits.seconds), unit: fits }
}

/** Text that is no number stays as it is: the API reports it. */
export function secondsOf(text: string, unit: Unit): number | string {
  const given = text.trim().replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(given) ? Math.round(Number(given) * unit.seconds) : text
}

/** Addresses stand on lines of their own, or are separated by spaces, commas or semicolons. */
export const addressesOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
