// A seed is the plan of a run that has found a defect. It fails without the fix, and stays for good.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makePlan, type Operation, type Plan, QUICK, type Size } from '../../proof/plan.ts'
import type { Change } from '../mutants/changes.ts'

const here = dirname(fileURLToPath(import.meta.url))

export type Seed = {
  /** As in the file's name, such as 001. */
  number: string
  title: string
  promise: string
  /** When, how, and the commit that mended it. */
  found: string
  /** A run may miss it: so many runs in a row are enough to find it. */
  repeat: number
  /** What `undo` brings back. */
  defect: string
  /** Undoes the fix. */
  undo: Change[]
  plan: Plan
}

/** `times` such operations, each `every` milliseconds after the one before. Ids get a number. */
type Repeated = Operation & { times?: number; every?: number }

type Written = Omit<Seed, 'number' | 'plan'> & {
  plan: Partial<Size> &
    Pick<Plan, 'watches' | 'nemesis' | 'heal_at'> & { posts: { during: Repeated[]; resume: Repeated[] }[] }
}

export async function readSeeds(): Promise<Seed[]> {
  const files = (await readdir(here)).filter(name => name.endsWith('.json')).sort()
  return Promise.all(files.map(readSeed))
}

async function readSeed(file: string): Promise<Seed> {
  const written: Written = JSON.parse(await readFile(join(here, file), 'utf8'))
  const number = file.replace('.json', '')
  const { posts, ...given } = written.plan
  const size = {
    ...QUICK,
    ...given,
    posters: posts.length,
    viewers: given.watches.length,
    steps: 0,
    faults: 0,
  }
  const plan = {
    ...makePlan(1, size),
    ...given,
    newcomers: [],
    seed: Number(number),
    posts: posts.map(({ during, resume }) => ({
      during: during.flatMap(repeat),
      resume: resume.flatMap(repeat),
    })),
  }
  return { ...written, number, plan }
}

function repeat({ times = 1, every = 0, ...operation }: Repeated): Operation[] {
  return Array.from({ length: times }, (_, i) => ({
    ...operation,
    id: times === 1 ? operation.id : `${operation.id}-${i}`,
    at: operation.at + i * every,
  }))
}
