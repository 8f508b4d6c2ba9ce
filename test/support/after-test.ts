import { onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'

/**
 * Runs `end` after the current test. Does nothing in concurrent tests, because vitest can't tell which of them is
 * current: they end what they open.
 */
export function afterTest(end: () => unknown): void {
  const test = getCurrentTest()
  if (test && !test.concurrent) onTestFinished(async () => void (await end()))
}
