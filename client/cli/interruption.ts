// Ctrl-C and its relatives.
import { EXIT } from './failure.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** By default, Ctrl-C ends the command at once. */
export function endAtInterrupt(): void {
  process.on('SIGINT', endNow)
}

/** Replaces what Ctrl-C does, and what SIGTERM and SIGHUP do. */
export function onInterrupt(listener: (signal: NodeJS.Signals) => void): void {
  process.off('SIGINT', endNow)
  for (const signal of SIGNALS) process.on(signal, listener)
}

/** Aborts at the first Ctrl-C; the second ends the command at once. */
export function abortAtInterrupt(): AbortSignal {
  const controller = new AbortController()
  onInterrupt(() => (controller.signal.aborted ? endNow() : controller.abort()))
  return controller.signal
}

function endNow(): void {
  process.exit(EXIT.interrupted)
}
