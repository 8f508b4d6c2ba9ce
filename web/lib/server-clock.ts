// The server's clock, for deadlines: this device's clock, corrected by the `Date` of the last response.

/** Clocks that differ by less count as equal: `Date` has whole seconds, and responses take a while. */
const TOLERANCE_MS = 2_000

let ahead_ms = 0

export function noteServerDate({ headers }: Pick<Response, 'headers'>): void {
  const sent = Date.parse(headers.get('Date') ?? '')
  if (Number.isNaN(sent)) return
  // `Date` is cut to the second, so half a second is added on average.
  const ahead = sent + 500 - Date.now()
  ahead_ms = Math.abs(ahead) < TOLERANCE_MS ? 0 : ahead
}

export const serverNow = () => Date.now() + ahead_ms
