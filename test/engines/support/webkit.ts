// WebKitWebDriver on a display of its own. It starts WebKitGTK's small browser for each session.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/viewer.ts'
import type { Driver } from './driver.ts'
import { openWithWebDriver } from './web-driver.ts'

export async function startWebKit(): Promise<{ open: () => Promise<Driver>; stop: () => Promise<void> }> {
  const display = await startDisplay()
  const port = await freePort()
  const env = { ...process.env, DISPLAY: display.name, LANG: 'C.UTF-8', NO_AT_BRIDGE: '1' }
  const driver = start('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], env)
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (driver.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${driver.exitCode}`)
    return (await fetch(`${url}/status`).catch(() => null))?.ok === true
  }, 'WebKitWebDriver answers')
  return {
    open: () => openWithWebDriver(url),
    async stop() {
      await end(driver)
      await end(display.process)
    },
  }
}

/** X chooses a free number and writes it to the fourth file. */
async function startDisplay() {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const child = start('Xvfb', args, process.env)
  const output = child.stdio[3]
  if (!output) throw new Error('the fourth file is a pipe')
  const [line] = await once(output as Readable, 'data')
  return { process: child, name: `:${String(line).trim()}` }
}

/** The kernel ends it with this process, however this process ends. Without a display, the browser ends too. */
function start(command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const
  return spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], { env, stdio: [...stdio] })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
