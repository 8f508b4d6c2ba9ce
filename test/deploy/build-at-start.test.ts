// `npm start` builds what is missing. Its own lines matter, so the output of a build shows only if the build fails.
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const START = fileURLToPath(new URL('../../server/start.js', import.meta.url))

/** Runs `npm start` in a fresh clone whose builds print many lines, and end with `status`. */
async function startFresh(status: number) {
  const folder = await mkdtemp(join(tmpdir(), 'fresh-clone-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const scripts = {
    start: 'node server/start.js',
    'build:server': `node build.js ${status} dist/server/main.js`,
    'build:web': `node build.js ${status} dist/web/index.html`,
  }
  const build = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { dirname } from 'node:path'
    const [status, file] = process.argv.slice(2)
    for (let i = 0; i < 60; i++) console.log('chunk ' + i)
    console.error('warning')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'console.log("ready")')
    process.exit(Number(status))`
  await mkdir(join(folder, 'node_modules/typescript'), { recursive: true })
  await cp(START, join(folder, 'server/start.js'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }))
  await writeFile(join(folder, 'build.js'), build)
  return spawnSync('npm', ['start', '--silent'], { cwd: folder, encoding: 'utf8' })
}

test('a build that succeeds prints one line', async () => {
  const { status, stdout, stderr } = await startFresh(0)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toBe('Building (npm run build:server) …\nBuilding (npm run build:web) …\nready\n')
})

test('a build that fails prints its output and ends the start', async () => {
  const { status, stdout, stderr } = await startFresh(3)
  expect(status).toBe(3)
  expect(stdout).toBe('Building (npm run build:server) …\n')
  for (const line of ['chunk 0', 'chunk 59', 'warning']) expect(stderr).toContain(line)
})
