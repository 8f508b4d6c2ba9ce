// Runs the command line as a process of its own.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { afterTest } from './after-test.ts'
import { isInstalled } from './programs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const built = join(root, 'dist/client/lib/client/cli/main.js')
const fromSource = ['--import', import.meta.resolve('tsx'), join(root, 'client/cli/main.ts')]
/** `npm run build:client` makes these tests four times as fast. A build that is older than the code doesn't count. */
export const cliCommand = [process.execPath, ...(isFresh() ? [built] : fromSource)]

function isFresh(): boolean {
  const changed = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['client', 'shared'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file =>
      join(root, folder, file),
    ),
  )
  return changed(built) > Math.max(...sources.map(changed))
}

export type CliEnd = { code: number | null; stdout: string; stderr: string }

export type RunningCli = {
  child: ChildProcessWithoutNullStreams
  stdout: () => string
  stderr: () => string
  ended: Promise<CliEnd>
}

/** Variables that the command line reads, and nothing else of this process. `XDG_CONFIG_HOME` is empty and its own. */
export function cliEnv(env: Record<string, string> = {}): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'channel-feed-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { PATH: process.env.PATH ?? '', HOME: folder, XDG_CONFIG_HOME: folder, ...env }
}

/** The same for a shell. */
export const shellCommand = cliCommand.map(word => `'${word}'`).join(' ')

/** `input`: on stdin, which then ends. Without it, stdin is empty. */
export function startCli(
  args: string[],
  { env = cliEnv(), input = '' }: { env?: Record<string, string>; input?: string } = {},
): RunningCli {
  const [program = '', ...before] = cliCommand
  const cli = follow(spawn(program, [...before, ...args], { env }))
  cli.child.stdin.end(input)
  return cli
}

/** A line of bash. Its processes form a group of their own, as those of a line in a terminal do. */
export function startShell(
  line: string,
  { env, cwd }: { env: Record<string, string>; cwd?: string },
): RunningCli {
  const shell = follow(spawn('bash', ['-c', line], { env, cwd, detached: true }))
  shell.child.stdin.end()
  return shell
}

export const runShell = (...given: Parameters<typeof startShell>): Promise<CliEnd> =>
  startShell(...given).ended

/** In a terminal, which shows stdout and stderr together. What is written to stdin counts as typed. */
export function startOnTerminal(args: string[], env: Record<string, string>): RunningCli {
  const line = [shellCommand, ...args.map(word => `'${word}'`)].join(' ')
  return follow(
    spawn('script', ['-qefc', line, '/dev/null'], { env: { TERM: 'xterm', SHELL: '/bin/sh', ...env } }),
  )
}

export const hasTerminal = isInstalled('script')

function follow(child: ChildProcessWithoutNullStreams): RunningCli {
  afterTest(() => child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  // It may end before it reads.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

export const runCli = (...given: Parameters<typeof startCli>): Promise<CliEnd> => startCli(...given).ended

/** Resolves when stderr names the question that the command waits for. */
export async function handleOf(cli: Pick<RunningCli, 'stderr'>): Promise<string> {
  await expect.poll(cli.stderr).toMatch(HANDLE)
  return HANDLE.exec(cli.stderr())?.[1] ?? ''
}

const HANDLE = /Handle: ([0-9a-f-]{36}\/[0-9a-f-]{36})/
