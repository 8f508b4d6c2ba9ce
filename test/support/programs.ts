// Programs that a bare machine with only Node may lack.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const isInstalled = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args.length > 0 ? args : ['--version'], { stdio: 'ignore' }).status === 0

/** A prefix that runs a program as in another container, with its own process ids and shared memory. */
export const inContainer = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child']

/** Only root may, and not everywhere. */
export const hasContainers = isInstalled('unshare', ...inContainer.slice(1), 'true')

/** For shell commands with `curl`. Without it, a stand-in takes its place, so that the shell still reads the command. */
export function withCurl(): NodeJS.ProcessEnv {
  if (isInstalled('curl')) return process.env
  const folder = mkdtempSync(join(tmpdir(), 'channel-feed-curl-'))
  const script = fileURLToPath(new URL('./curl.mjs', import.meta.url))
  symlinkSync(process.execPath, join(folder, 'node'))
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec node ${script} "$@"\n`)
  chmodSync(join(folder, 'curl'), 0o755)
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` }
}
