// Rolls three instances from the previous release to the present build, under load: `npm run prove:upgrade`.
// Exits with 0 if nothing was lost or refused, 1 if something was, 2 if that can't be told.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const commit = readFileSync(join(root, 'test/lab/seeds/PREVIOUS'), 'utf8').trim()

process.exitCode = proveUpgrade()

function proveUpgrade(): number {
  if (!run(root, 'git', ['cat-file', '-e', `${commit}^{commit}`]))
    return inconclusive(`the previous release, ${commit}, is not in this clone's history`)
  const previous = mkdtempSync(join(tmpdir(), 'channel-feed-previous-'))
  try {
    if (!run(root, 'git', ['worktree', 'add', '--detach', previous, commit]))
      return inconclusive(`git can't check out ${commit}`)
    const built =
      run(previous, 'npm', ['ci', '--no-audit', '--no-fund']) &&
      run(previous, 'npm', ['run', '--silent', 'build:server'])
    if (!built) return inconclusive(`${commit} can't be built`)
    const test = ['vitest', 'run', '--config', 'test/lab/vitest.config.ts', 'test/lab/faults/roll.test.ts']
    const passed = run(root, 'npx', test, { ROLL_FROM: previous })
    process.stdout.write(`\nUpgrade from ${commit}: ${passed ? 'passed' : 'failed'}\n`)
    return passed ? 0 : 1
  } finally {
    run(root, 'git', ['worktree', 'remove', '--force', previous])
    rmSync(previous, { recursive: true, force: true })
  }
}

/** Whether the command ended with 0. */
function run(cwd: string, command: string, args: string[], env: Record<string, string> = {}): boolean {
  return spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' }).status === 0
}

function inconclusive(reason: string): number {
  process.stderr.write(`\nInconclusive: ${reason}. Nothing was tested.\n`)
  return 2
}
