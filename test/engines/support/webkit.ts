// WebKitGTK's small browser behind WebKitWebDriver, on a display of its own. A driver has one window.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/viewer.ts'
import type { Driver } from './driver.ts'
import { openWithWebDriver } from './web-driver.ts'

export async function startWebKit(): Promise<{ open: () => Promise<Driver>; stop: () => Promise<void> }> {
  const display = await startDisplay()
  return {
    open: () => openOn(display.name),
    stop: () => end(display.process),
  }
}

/** Tries again, because a window sometimes stays one pixel high. */
async function openOn(display: string, tries = 3): Promise<Driver> {
  const port = await freePort()
  // With compositing, it may draw nothing for minutes on a busy machine, and commands then wait.
  const own = { DISPLAY: display, LANG: 'C.UTF-8', NO_AT_BRIDGE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' }
  const env = { ...process.env, ...own }
  const driver = start('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], env)
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (driver.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${driver.exitCode}`)
    return (await fetch(`${url}/status`).catch(() => null))?.ok === true
  }, 'WebKitWebDriver answers')
  // The browser ends with its driver, even if the page no longer answers.
  const close = () => end(driver)
  try {
    return { ...(await openWithWebDriver(url)), close }
  } catch (error) {
    await close()
    if (tries === 1) throw error
    return openOn(display, tries - 1)
  }
}

/** X chooses a free number and writes it to the fourth file. */
async function startDisplay(): Promise<{ process: ChildProcess; name: string }> {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const child = start('Xvfb', args, process.env)
  const output = child.stdio[3]
  if (!(output instanceof Readable)) throw new Error('the fourth file is a pipe')
  const [line] = await once(output, 'data')
  return { process: child, name: `:${String(line).trim()}` }
}

/** The kernel ends it with this process, however this process ends. It leads a group, so that its children end with it. */
function start(command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exited
}
