// Takes one sample: a fresh folder and a scenario on one target. Ends everything afterwards, even on failure
// or when it takes too long.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRemote } from './load/remote.ts'
import type { Context, Sample, Scenario } from './scenario.ts'
import { startSlowDatabase } from './slow-database.ts'
import type { Target } from './target.ts'

export type SampleOptions = { quick: boolean; profile?: string }

const longest = 300_000

export async function takeSample(
  scenario: Scenario,
  target: Target,
  options: SampleOptions,
): Promise<Sample> {
  const data_dir = await mkdtemp(join(tmpdir(), 'channel-feed-bench-'))
  await chmod(data_dir, 0o711)
  // Undone in reverse: load first, then servers, then the database.
  const endings: (() => unknown)[] = [() => rm(data_dir, { recursive: true, force: true, maxRetries: 20 })]
  const context: Context = {
    quick: options.quick,
    async start(started) {
      const running = await started.start({ data_dir, database_url, profile: options.profile })
      endings.push(running.stop)
      return running
    },
    remote(file) {
      const remote = startRemote(file)
      endings.push(remote.close)
      return remote
    },
  }
  let database_url: string | undefined
  let timer: NodeJS.Timeout | undefined
  try {
    if (scenario.slow_flush !== undefined) {
      const database = await startSlowDatabase(data_dir, scenario.slow_flush)
      endings.push(database.stop)
      database_url = database.url
    }
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took longer than ${longest / 1000} s`)), longest)
    })
    return await Promise.race([scenario.run(target, context), tooLong])
  } finally {
    clearTimeout(timer)
    for (const end of endings.reverse()) await end()
  }
}
