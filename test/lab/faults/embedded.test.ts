// Faults of an embedded database under load: two services on one folder, and a backup that takes its place.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startScene } from '../../faults/scene.ts'
import { afterTest } from '../../support/after-test.ts'
import { readMetric } from '../../support/metrics.ts'
import { hasContainers, inContainer } from '../../support/programs.ts'
import { until } from '../../support/viewer.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const REFUSED_MS = 10_000

test('P12: a service on a folder in use ends within 10 s, and the first one loses nothing', () =>
  startSecond([]))

test.skipIf(!hasContainers)(
  'P12: a service in another container on a folder in use ends within 10 s, too',
  () => startSecond(inContainer),
)

/** `prefix`: the command that runs it. */
async function startSecond(prefix: string[]): Promise<void> {
  const scene = await startScene()
  const { data_dir, process: first } = scene.server
  await until(() => scene.load.cards.size > 20, 'cards are written')
  const [file = '', ...args] = [...prefix, process.execPath, 'dist/server/main.js']
  const env = { PATH: process.env.PATH, DATA_DIR: data_dir, PORT: '0' }
  const second = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  afterTest(() => second.kill('SIGKILL'))
  let said = ''
  second.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const began = performance.now()
  const [code] = await once(second, 'exit')
  expect(performance.now() - began).toBeLessThan(REFUSED_MS)
  expect({ code, said }).toEqual({
    code: 1,
    said: `${data_dir} is in use by another instance: stop that one, or set DATA_DIR to another folder\n`,
  })
  expect(first.exitCode).toBeNull()
  await scene.expectWhole()
}

test('P11: after a restore, viewers show what the backup has and what was written since, and nothing that is gone', async () => {
  const { server, load, viewers } = await startScene()
  const file = `${server.data_dir}.tar.gz`
  afterTest(() => rm(file, { force: true }))
  const command = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['dist/server/database/backup.js', ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, DATA_DIR: server.data_dir },
    })
  await until(() => load.cards.size > 40, 'cards that the backup has')
  const kept = [...load.cards.keys()]
  await command('backup', file)
  const copied = new Set(load.cards.keys())
  await until(() => load.cards.size > copied.size + 50, 'cards that the backup lacks')
  await load.stop()
  const gone = [...load.cards.keys()].filter(id => !copied.has(id))
  const shown = () => new Set(viewers.flatMap(viewer => viewer.cards().map(({ id }) => id)))
  await until(() => gone.some(id => shown().has(id)), 'a viewer shows a card that will be gone')

  const exited = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  await exited
  await command('restore', '--force', file)
  await server.restart()
  expect(await readMetric(server, 'channel_feed_lost_histories_total')).toBe(1)

  const headers = { Authorization: `Bearer ${server.api_key}` }
  const statusOf = async (id: string) => {
    const { channel_id = '' } = load.cards.get(id) ?? {}
    const path = `/api/v1/channels/${channel_id}/cards/${id}`
    return (await fetch(`${server.url}${path}`, { headers })).status
  }
  for (const id of kept) expect(await statusOf(id)).toBe(200)
  for (const id of gone) expect(await statusOf(id)).toBe(404)
  // A stock client is told that its document is of a lost history, and keeps it; a new document has none of that.
  await until(() => viewers.every(({ closes }) => closes.includes(4409)), 'viewers are told')
})
