// The server's clock, for deadlines: this device's clock, corrected by the `Date` of the last response.
import { createSignal } from 'solid-js'

/** Clocks that differ by less count as equal: `Date` has whole seconds, and responses take a while. */
const TOLERANCE_MS = 2_000

const [ahead_ms, setAhead] = createSignal(0)

export function noteServerDate({ headers }: Pick<Response, 'headers'>): void {
  const sent = Date.parse(headers.get('Date') ?? '')
  if (Number.isNaN(sent)) return
  // `Date` is cut to the second, so half a second is added on average.
  const ahead = sent + 500 - Date.now()
  setAhead(Math.abs(ahead) < TOLERANCE_MS ? 0 : ahead)
}

/** `time` is by this device's clock (ms). */
export const toServerTime = (time: number) => time + ahead_ms()

export const serverNow = () => toServerTime(Date.now())
