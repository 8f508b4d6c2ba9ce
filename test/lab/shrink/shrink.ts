// Searches for the smallest plan that still fails: without kinds of faults, with fewer instances, with fewer posters and
// viewers, and then without halves, quarters, … of what is left. The run is a parameter.
import type { FaultKind } from '../../proof/faults.ts'
import type { Operation, Plan } from '../../proof/plan.ts'

const TRIES = 5
const LIMIT_MS = 30 * 60_000

export type ShrinkOptions = {
  /** One run of a plan. The same plan may fail once and pass once. */
  fails(plan: Plan): Promise<boolean>
  /** In milliseconds, monotonic. */
  clock?: () => number
  say?: (line: string) => void
}

export async function shrink(
  plan: Plan,
  { fails, clock = () => performance.now(), say = () => {} }: ShrinkOptions,
): Promise<Plan> {
  const deadline = clock() + LIMIT_MS
  async function failsOnce(candidate: Plan): Promise<boolean> {
    for (let i = 0; i < TRIES && clock() < deadline; i++) if (await fails(candidate)) return true
    return false
  }

  let smallest = plan
  for (const smaller of [withoutKinds, withoutInstances, withoutPosters, withoutParts]) {
    // What the failure needs now, it needs in a smaller plan too.
    const needed = new Set<string>()
    for (;;) {
      const candidate = smaller(smallest).find(({ gone }) => !needed.has(gone))
      if (!candidate || clock() >= deadline) break
      if (await failsOnce(candidate.plan)) {
        smallest = candidate.plan
        say(describe(smallest))
      } else needed.add(candidate.gone)
    }
  }
  return smallest
}

/** A smaller plan, and a name for what it lacks. */
type Candidate = { gone: string; plan: Plan }

/** What is left of a plan, in a line. */
export function describe(plan: Plan): string {
  const { instances, posts, watches } = plan
  const faults = faultsOf(plan).map(({ kind }) => kind)
  return `${instances} instances, ${posts.length} posters, ${watches.length} viewers, ${operationsOf(plan).length} operations, faults: ${faults.join(', ') || 'none'}`
}

function withoutKinds(plan: Plan): Candidate[] {
  const kinds = [...new Set(faultsOf(plan).map(({ kind }) => kind))]
  const { liveness, ...calm } = plan
  const without = kinds.map(gone => ({ gone, plan: keepFaults(plan, ({ kind }) => kind !== gone) }))
  return liveness ? [{ gone: 'liveness', plan: calm }, ...without] : without
}

/** The last instance's posters and viewers use another one. */
function withoutInstances(plan: Plan): Candidate[] {
  const { liveness } = plan
  const gone = plan.instances - 1
  if (gone === 0 || liveness?.core === gone) return []
  const move = <T extends { instance: number }>(items: T[]) =>
    items.map(item => ({ ...item, instance: item.instance % gone }))
  const kept = keepFaults(plan, fault => !('instance' in fault) || fault.instance !== gone)
  const smaller = {
    ...mapOperations(kept, move),
    instances: gone,
    watches: move(plan.watches),
    newcomers: move(plan.newcomers),
  }
  return [{ gone: `instance ${gone}`, plan: smaller }]
}

function withoutPosters(plan: Plan): Candidate[] {
  const { posts, liveness } = plan
  if (posts.length < 2) return []
  return posts.map((poster, gone) => {
    const others = <T>(items: T[]) => items.filter((_, i) => i !== gone)
    const smaller = {
      ...plan,
      posters: posts.length - 1,
      posts: others(posts),
      ...(liveness && { liveness: { ...liveness, posts: others(liveness.posts) } }),
    }
    return { gone: JSON.stringify(poster), plan: smaller }
  })
}

/** Large parts first. */
function withoutParts(plan: Plan): Candidate[] {
  const without = <T>(items: T[], leave: (gone: Set<T>) => Plan) =>
    partsOf(items).map(part => ({ gone: JSON.stringify(part), plan: leave(new Set(part)) }))
  const ids = operationsOf(plan).map(({ id }) => id)
  return [
    ...without(plan.nemesis, gone => {
      const nemesis = plan.nemesis.filter(fault => !gone.has(fault))
      return { ...plan, nemesis, faults: nemesis.length }
    }),
    ...without(plan.watches, gone => {
      const watches = plan.watches.filter(watch => !gone.has(watch))
      return { ...plan, watches, viewers: watches.length }
    }),
    ...without(plan.newcomers, gone => ({
      ...plan,
      newcomers: plan.newcomers.filter(newcomer => !gone.has(newcomer)),
    })),
    ...without(ids, gone => {
      const left = mapOperations(plan, all => all.filter(({ id }) => !gone.has(id)))
      return { ...left, steps: operationsOf(left).length }
    }),
  ]
}

/** Halves, quarters and so on, down to single items. */
function partsOf<T>(items: T[]): T[][] {
  const parts: T[][] = []
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let i = 0; i < items.length; i += size) parts.push(items.slice(i, i + size))
  return parts
}

function operationsOf({ posts, liveness }: Plan): Operation[] {
  return [...posts.flatMap(({ during, resume }) => [...during, ...resume]), ...(liveness?.posts.flat() ?? [])]
}

const faultsOf = ({ nemesis, liveness }: Plan): FaultKind[] => [...nemesis, ...(liveness?.broken ?? [])]

/** The others stay at their times, because the interleaving depends on those. */
function keepFaults(plan: Plan, keep: (fault: FaultKind) => boolean): Plan {
  const { nemesis, liveness } = plan
  const left = nemesis.filter(keep)
  return {
    ...plan,
    nemesis: left,
    faults: left.length,
    ...(liveness && { liveness: { ...liveness, broken: liveness.broken.filter(keep) } }),
  }
}

function mapOperations(plan: Plan, change: (operations: Operation[]) => Operation[]): Plan {
  const { posts, liveness } = plan
  return {
    ...plan,
    posts: posts.map(({ during, resume }) => ({ during: change(during), resume: change(resume) })),
    ...(liveness && { liveness: { ...liveness, posts: liveness.posts.map(change) } }),
  }
}
