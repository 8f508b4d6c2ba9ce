// What the engine tests of a file share: a server behind a proxy that can be cut, one browser, the API and a webhook receiver.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { type Api, makeApi, type Send } from '../../browser/support/api.ts'
import { type Hooks, startHooks } from '../../browser/support/hooks.ts'
import { makeSession } from '../../browser/support/session.ts'
import { UNLIMITED } from '../../browser/support/stage.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type EngineWindow, makeWindow } from './engine-window.ts'
import { type Engine, type EngineName, LEFT_OUT, launch } from './engines.ts'
import { startTestProxy, type TestProxy } from './test-proxy.ts'

export let server: TestServer
export let proxy: TestProxy
export let api: Api
export let session: Send
export let hooks: Hooks
export let engine_name: EngineName
let engine: Engine
/** All engines that were started, `engine` among them. */
const engines: Engine[] = []
let allowed: RegExp[] = []
const open = new Set<EngineWindow>()

/** Runs `tests` in an engine, if the system has it. Pages may report no fault in any of them. */
export function runIn(name: EngineName, tests: () => void): void {
  const reasons = LEFT_OUT[name]
  if (reasons.length > 0) console.log(`The tests in ${name} are left out: ${reasons.join(', ')}.`)
  describe.runIf(reasons.length === 0)(name, () => {
    setStage(name)
    tests()
  })
}

function setStage(name: EngineName): void {
  beforeAll(async () => {
    engine_name = name
    server = await startServer(UNLIMITED)
    proxy = await startTestProxy(server.url)
    api = makeApi(server)
    session = await makeSession(server)
    hooks = await startHooks()
    engine = await start(name)
  }, 240_000)

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const [nth, window] of [...open].entries())
        await window.shot(pictureOf(task.name) + nth).catch(() => {})
    const faults = proxy.takeFaults().filter(fault => !allowed.some(pattern => pattern.test(fault)))
    allowed = []
    proxy.setOnline(true)
    proxy.release()
    proxy.setScript(null)
    for (const window of open) await window.close()
    open.clear()
    expect(faults).toEqual([])
  })

  afterAll(async () => {
    for (const one of engines.splice(0)) await one.stop()
    await proxy?.stop()
    await server?.stop()
    await hooks?.stop()
  })
}

const pictureOf = (test: string) => `${engine_name}-${test.slice(0, 40).replaceAll(/\W+/g, '-')}`

async function start(name: EngineName, preferences = {}): Promise<Engine> {
  const started = await launch(name, preferences)
  engines.push(started)
  return started
}

/** Pages may report faults like this in the present test. */
export function allowFaults(...patterns: RegExp[]): void {
  allowed.push(...patterns)
}

/** A window with a fresh profile. */
export async function openWindow(from = engine): Promise<EngineWindow> {
  const window = makeWindow(await from.open(), proxy.url)
  open.add(window)
  return window
}

/** A fresh window of the owner's. */
export async function openSignedIn(from = engine): Promise<EngineWindow> {
  const window = await openWindow(from)
  await window.signIn(server.owner)
  return window
}

/** A window of the owner's in another engine, if there is one. */
export async function openElsewhere(): Promise<EngineWindow> {
  const firefox = engine_name === 'chromium' && LEFT_OUT.firefox.length === 0
  return openSignedIn(await start(firefox ? 'firefox' : 'chromium'))
}

/** A window that may save nothing for this site: Firefox has a setting for that, elsewhere everything that saves throws. */
export async function openBlocked(): Promise<EngineWindow> {
  if (engine_name === 'firefox') return openWindow(await start('firefox', BLOCK_SITE_DATA))
  proxy.setScript(refuseStorage)
  return openWindow()
}

const BLOCK_SITE_DATA = { 'network.cookie.cookieBehavior': 2 }

/** Runs in the page. */
function refuseStorage(): void {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  IDBFactory.prototype.open = refuse
  // The script doesn't run in the frame of the app's store.
  Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', { get: refuse })
  for (const name of ['localStorage', 'sessionStorage', 'caches'])
    Object.defineProperty(window, name, { get: refuse })
  window.BroadcastChannel = class {
    constructor() {
      refuse()
    }
  } as unknown as typeof BroadcastChannel
  if (navigator.locks)
    LockManager.prototype.request = () => Promise.reject(new DOMException('', 'SecurityError'))
  Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: refuse })
}
