// Nothing outlives a run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterTest } from '../../support/after-test.ts'
import { until } from '../wait.ts'
import { startSupervisor } from './supervisor.ts'

const folder = () => mkdtemp(join(tmpdir(), 'channel-feed-supervisor-'))
const isRunning = (pid: number) => existsSync(`/proc/${pid}`)

test('the processes of a run that is killed end, even a stopped one', async () => {
  const supervisor = new URL('supervisor.ts', import.meta.url).href
  const code = `
    const { startSupervisor } = await import(${JSON.stringify(supervisor)})
    const { start } = await startSupervisor(${JSON.stringify(await folder())})
    const child = await start({ name: 'sleeper', command: ['sleep', '1000'] })
    child.signal('SIGSTOP')
    console.log(child.pid)`
  const args = ['--import', 'tsx', '--input-type=module', '-e', code]
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  afterTest(() => run.kill('SIGKILL'))
  const [line] = await once(run.stdout, 'data')
  const pid = Number(String(line))
  expect(isRunning(pid)).toBe(true)
  run.kill('SIGKILL')
  await until(() => !isRunning(pid), 'the process ends')
})

test('a process that ended is never signalled, and run.json names those that run', async () => {
  const supervisor = await startSupervisor(await folder())
  afterTest(() => supervisor.end())
  const sleeper = await supervisor.start({ name: 'sleeper', command: ['sleep', '1000'] })
  const other = await supervisor.start({ name: 'other', command: ['sleep', '1000'] })
  await other.kill()
  expect(other.signal('SIGTERM')).toBe(false)
  expect(isRunning(other.pid)).toBe(false)
  expect(sleeper.signal('SIGSTOP')).toBe(true)
  await until(async () => {
    // It is written in the background.
    const text = await readFile(join(supervisor.folder, 'run.json'), 'utf8').catch(() => '{"children":[]}')
    const { children } = JSON.parse(text)
    return children.length === 1 && children[0].pid === sleeper.pid
  }, 'run.json names the sleeper')
})

test('a wait for a line ends when the process does', async () => {
  const supervisor = await startSupervisor(await folder())
  const child = await supervisor.start({ name: 'talker', command: ['sh', '-c', 'echo one; echo two'] })
  await expect(child.line(/three/)).rejects.toThrow(/talker ended[\s\S]*one\ntwo/)
})

test('the log has lines that are written after the process ended', async () => {
  const supervisor = await startSupervisor(await folder())
  afterTest(() => supervisor.end())
  // The process that it leaves behind waits until it has ended.
  const code = '(while kill -0 $$ 2>/dev/null; do sleep 0.05; done; echo late) & echo begins'
  const child = await supervisor.start({ name: 'parent', command: ['sh', '-c', code] })
  await child.exited
  const log = join(supervisor.folder, 'parent.log')
  await expect.poll(() => readFile(log, 'utf8')).toContain('late')
})
