// What the engine tests of a file share: a server behind a proxy that can be cut, one browser, the API and a webhook receiver.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { type Api, makeApi, type Send } from '../../browser/support/api.ts'
import { type Hooks, startHooks } from '../../browser/support/hooks.ts'
import { makeSession } from '../../browser/support/session.ts'
import { UNLIMITED } from '../../browser/support/stage.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type EngineWindow, makeWindow } from './engine-window.ts'
import { type Engine, type EngineName, launch, MISSING } from './engines.ts'
import { startTestProxy, type TestProxy } from './test-proxy.ts'

export let server: TestServer
export let proxy: TestProxy
export let api: Api
export let session: Send
export let hooks: Hooks
export let engine_name: EngineName
let engine: Engine
const open = new Set<EngineWindow>()

/** Runs `tests` in an engine, if the system has it. Pages may report no fault in any of them. */
export function runIn(name: EngineName, tests: () => void): void {
  const missing = MISSING[name]
  if (missing.length > 0)
    console.log(`The tests in ${name} are left out: ${missing.join(' and ')} isn’t installed.`)
  describe.skipIf(missing.length > 0)(name, () => {
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
    engine = await launch(name)
  }, 240_000)

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') for (const window of open) await window.shot(pictureOf(task.name))
    const faults = proxy.takeFaults()
    proxy.setOnline(true)
    proxy.setScript(null)
    for (const window of open) await window.close()
    open.clear()
    // A window that is closed can report what it was about to do.
    proxy.takeFaults()
    expect(faults).toEqual([])
  })

  afterAll(async () => {
    await engine?.stop()
    await proxy?.stop()
    await server?.stop()
    await hooks?.stop()
  })
}

const pictureOf = (test: string) => `${engine_name}-${test.slice(0, 40).replaceAll(/\W+/g, '-')}`

/** A window with a fresh profile. WebKit's driver has one window at a time. */
export async function openWindow(): Promise<EngineWindow> {
  const window = makeWindow(await engine.open(), proxy.url)
  open.add(window)
  return window
}

/** A fresh window of the owner's. */
export async function openSignedIn(): Promise<EngineWindow> {
  const window = await openWindow()
  await window.signIn(server.owner)
  return window
}
