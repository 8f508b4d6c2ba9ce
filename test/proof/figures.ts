// What a run reads from its cluster at the end: versions, and how many turns the instances lost to each other.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMetric } from '../support/metrics.ts'
import type { Cluster } from './cluster/cluster.ts'
import { FIGURES } from './load/scene.ts'

export type Figures = {
  /** Turns that were made again, because another instance had appended first. A killed instance forgets its count. */
  lost_turns: number
  versions: { node: string; postgres: string }
}

export async function writeFigures({ instances, sql }: Cluster, folder: string): Promise<void> {
  const lost = await Promise.all(
    instances.map(instance =>
      readMetric({ url: instance.direct_url() }, 'channel_feed_turns_total{verdict="lost"}'),
    ),
  )
  const [version] = await sql<{ server_version: string }[]>`show server_version`
  const figures: Figures = {
    lost_turns: lost.reduce((sum, count) => sum + count, 0),
    versions: { node: process.version, postgres: version?.server_version ?? '' },
  }
  await writeFile(join(folder, FIGURES), JSON.stringify(figures))
}
