// What do more instances cost? Four loads at fixed rates on one to three instances, with both buses, in interleaved rounds.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bus } from '../../proof/cluster/cluster.ts'
import { startSupervisor } from '../../proof/cluster/supervisor.ts'
import { type Measured, startMeasured } from '../measured/measured.ts'
import { LOADS } from './loads.ts'
import { type Cell, measureLoad, startCrew } from './measure.ts'
import { report } from './report.ts'

const BUSES: Bus[] = ['postgres', 'redis']
const FULL = { rounds: 3, counts: [1, 2, 3], seconds: 10 }
/** Does it all run? */
const QUICK = { rounds: 1, counts: [1, 3], seconds: 2 }

export type ScaleOptions = { folder: string; build: string; quick: boolean }

export async function scale({ folder, build, quick }: ScaleOptions): Promise<void> {
  const { rounds, counts, seconds } = quick ? QUICK : FULL
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const cells: Cell[] = []
  for (let round = 1; round <= rounds; round++)
    for (const bus of BUSES)
      for (const instances of counts) {
        console.log(`  round ${round}, ${bus}, ${instances} instances`)
        cells.push(...(await measureAll({ folder, build, bus, instances, seconds })))
        await writeFile(join(folder, 'cells.json'), JSON.stringify(cells, null, 1))
      }
  const text = report(cells, !quick)
  await writeFile(join(folder, 'report.md'), `${text}\n`)
  console.log(text)
  if (quick) console.log('\nSo short a run only shows that everything works; its figures are noise.')
}

type Given = { folder: string; build: string; bus: Bus; instances: number; seconds: number }

async function measureAll({ folder, build, bus, instances, seconds }: Given): Promise<Cell[]> {
  const supervisor = await startSupervisor(folder)
  const crew = startCrew(instances)
  let measured: Measured | undefined
  try {
    measured = await startMeasured({ supervisor, instances, bus, build })
    const cells: Cell[] = []
    const loads = LOADS.filter(({ instances_min }) => instances >= instances_min)
    // New processes take several times as long, until Node has compiled what they do.
    for (const load of loads.filter(({ name }) => name === 'anywhere'))
      await measureLoad(measured, { load, bus, crew, seconds })
    for (const load of loads) cells.push(await measureLoad(measured, { load, bus, crew, seconds }))
    return cells
  } finally {
    crew.end()
    await measured?.end()
    await supervisor.end()
  }
}
