// Preloaded into an instance: its wall clock is wrong by the milliseconds in the file CLOCK_FILE. Nothing else is shifted.
import { readFileSync } from 'node:fs'

const LOOK_MS = 50
const { Date: RightDate } = globalThis
let shift_ms = 0

setInterval(() => {
  try {
    shift_ms = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'))
  } catch {
    // No file yet: the clock is right.
  }
}, LOOK_MS).unref()

const now = () => RightDate.now() + shift_ms

globalThis.Date = new Proxy(RightDate, {
  apply: () => new RightDate(now()).toString(),
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
