import { onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'

/** Runs `end` after the present test. Concurrent tests have no present test: they end what they open. */
export function afterTest(end: () => unknown): void {
  const test = getCurrentTest()
  if (test && !test.concurrent) onTestFinished(async () => void (await end()))
}
