// What the machine itself cost: bounds in time are judged with it, because other work on the machine delays everything.
import type { Files } from './files.ts'

/**
 * How often a write waits for the processor until a client knows that it is shown: in the client, the service, the database,
 * the service again, the bus, another instance, and the viewer.
 */
const HOPS = 8

/** What may be added to a bound between two moments, in microseconds. */
export function slackOf({ machine }: Pick<Files, 'machine'>, from: number, to: number): number {
  const late = machine.filter(({ at }) => at >= from && at <= to).map(delay => delay.late)
  late.sort((a, b) => a - b)
  return HOPS * (late[Math.ceil(late.length * 0.99) - 1] ?? 0)
}
