// The order of a liveness phase.
import { expect, test } from 'vitest'
import { keepCoreAlive } from './liveness.ts'
import type { Mark } from './run.ts'

test('requests are sent to the one instance that has healed, before anything else heals', async () => {
  const steps: string[] = []
  const marks: Mark[] = []
  await keepCoreAlive(
    { core: 1, broken: [{ kind: 'kill', instance: 0 }], posts: [] },
    {
      async begin({ kind }) {
        steps.push(`${kind} begins`)
        return { end: async () => void steps.push(`${kind} ends`), evidence: () => kind }
      },
      post: async () => void steps.push('posts'),
      phase: phase => void steps.push(phase),
      write: mark => void marks.push(mark),
      say: () => {},
    },
  )
  expect(steps).toEqual(['partition begins', 'kill begins', 'partition ends', 'core', 'posts', 'kill ends'])
  expect(marks).toMatchObject([
    { kind: 'fault', together: true, evidence: 'partition', fault: { instance: 1, link: 'postgres' } },
    { kind: 'fault', together: true, evidence: 'kill', fault: { instance: 0 } },
  ])
})
