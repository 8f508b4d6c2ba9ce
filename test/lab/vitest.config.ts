// Tests that take minutes, and tests of the tools beside them: `npm run test:lab`, after `npm run build:server`.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'lab',
    include: ['test/lab/**/*.test.ts'],
    // One at a time: promises have limits in seconds, so a run needs the machine for itself.
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    chaiConfig: { truncateThreshold: 0 },
  },
})
