// A plan with chosen faults, one after another, under the load of a quick run for as long as they need it.
import type { Fault, FaultKind } from './faults.ts'
import { makePlan, type Plan, QUICK, type Size } from './plan.ts'

const BEGIN_MS = 1_000
const LASTS_MS = 2_000
const PAUSE_MS = 500
const STEPS_PER_MS = 0.05

export type Chosen = { fault: FaultKind; lasts?: number }

type Options = {
  seed?: number
  size?: Partial<Size>
  /** How long posts go on after the last fault began to end. */
  more_ms?: number
}

export function planWith(chosen: Chosen[], { seed = 1, size, more_ms = 0 }: Options): Plan {
  let at = BEGIN_MS
  const nemesis = chosen.map(({ fault: kind, lasts = LASTS_MS }): Fault => {
    const fault = { at, lasts, ...kind }
    at += lasts + PAUSE_MS
    return fault
  })
  const heal_at = at + more_ms
  const steps = Math.round(heal_at * STEPS_PER_MS)
  const { liveness: _, ...plan } = makePlan(seed, { ...QUICK, ...size, faults: 0, steps })
  const stretch = heal_at / plan.heal_at
  const slower = <T extends { at: number }>(item: T) => ({ ...item, at: Math.round(item.at * stretch) })
  const posts = plan.posts.map(({ during, resume }) => ({
    during: during.map(slower),
    resume: resume.map(slower),
  }))
  return { ...plan, posts, nemesis, heal_at }
}
