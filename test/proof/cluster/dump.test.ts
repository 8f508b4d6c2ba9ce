// What a run that takes too long leaves behind.
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterTest } from '../../support/after-test.ts'
import { dumpState } from './dump.ts'
import { REPORTS, startSupervisor } from './supervisor.ts'

test('a process leaves its sockets and timers, even if it is stopped, and its last lines', async () => {
  const supervisor = await startSupervisor(await mkdtemp(join(tmpdir(), 'channel-feed-dump-')))
  afterTest(() => supervisor.end())
  const code = "console.log('begins'); require('net').createServer().listen(0, '127.0.0.1')"
  for (const name of ['running', 'stopped']) {
    const child = await supervisor.start({ name, command: [process.execPath, '-e', code] })
    await child.line(/begins/)
    if (name === 'stopped') child.signal('SIGSTOP')
  }
  await dumpState(supervisor, undefined)
  const folder = join(supervisor.folder, REPORTS)
  const reports = await readdir(folder)
  expect(reports).toHaveLength(2)
  for (const report of reports)
    expect(await readFile(join(folder, report), 'utf8')).toContain('"type": "tcp"')
  const lines = await readFile(join(supervisor.folder, 'last-lines.txt'), 'utf8')
  expect(lines).toContain('== running\nbegins')
})
