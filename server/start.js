// `npm start`, and `npm run` with backup, restore, reset-password or signing-key: builds what is missing or outdated, then
// runs the server or the command in this process.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const OUTPUT_MAX_BYTES = 16 * 1024 * 1024

const command = process.argv[2]
build('dist/server/main.js', ['server', 'client', 'shared', 'package-lock.json'], 'build:server')
if (command === undefined) {
  const sources = ['web', 'client', 'shared', 'vite.config.ts', 'package-lock.json']
  build('dist/web/index.html', sources, 'build:web')
}
const own = ['reset-password', 'signing-key'].find(name => name === command)
const entry = command === undefined ? 'main' : (own ?? 'database/backup')
await import(`../dist/server/${entry}.js`)

/**
 * @param {string} output
 * @param {string[]} sources
 * @param {string} script
 */
function build(output, sources, script) {
  if (newest([output]) > newest(sources)) return
  if (!existsSync('node_modules/typescript')) {
    process.stderr.write('Building needs the development packages: run npm ci --include=dev first\n')
    process.exit(1)
  }
  process.stdout.write(`Building (npm run ${script}) …\n`)
  // The lines that matter come after: the address, the password and the key. They must not follow sixty others.
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: OUTPUT_MAX_BYTES,
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  for (const output of [stdout, stderr]) process.stderr.write(output ?? '')
  process.exit(status ?? 1)
}

/** @param {string[]} paths @returns {number} the time of the latest change, 0 if there are no files */
function newest(paths) {
  const times = paths.map(path => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isDirectory()
      ? newest(readdirSync(path).map(name => `${path}/${name}`))
      : (stat?.mtimeMs ?? 0)
  })
  return Math.max(0, ...times)
}
