// `npm start` builds what is missing. Its own lines matter, so the output of a build shows only if the build fails.
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
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

test('each command runs its own entry', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'built-clone-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const start = join(folder, 'server/start.js')
  await cp(START, start)
  // Older than what was built.
  await utimes(start, 0, 0)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await mkdir(join(folder, 'dist/server/database'), { recursive: true })
  await mkdir(join(folder, 'dist/web'))
  await writeFile(join(folder, 'dist/web/index.html'), '')
  const entries = ['main', 'reset-password', 'database/backup']
  for (const entry of entries)
    await writeFile(join(folder, `dist/server/${entry}.js`), `process.stdout.write('${entry}')`)
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [start, ...args], { cwd: folder, encoding: 'utf8' }).stdout
  expect(run()).toBe('main')
  expect(run('reset-password', 'ann@example.com')).toBe('reset-password')
  for (const command of ['backup', 'restore', 'none']) expect(run(command)).toBe('database/backup')
})
