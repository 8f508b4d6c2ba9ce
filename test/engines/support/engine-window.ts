// A window of a browser, as the engine tests use it: written once above what each driver can do.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Driver } from './driver.ts'
import { findByRole } from './in-page.ts'

const pictures = fileURLToPath(new URL('../../../test-results/engines', import.meta.url))

const LIMIT_MS = 30_000

export type EngineWindow = ReturnType<typeof makeWindow>

/** `url`: what paths are relative to. */
export function makeWindow(driver: Driver, url: string) {
  /** What a function returns that runs in the page. Its argument is passed as JSON. */
  async function js<A, R>(run: (argument: A) => R | Promise<R>, argument?: A): Promise<R> {
    // The driver's JSON is what the function returned.
    return (await driver.evaluate(`(${run})(${JSON.stringify(argument)})`)) as R
  }
  const text = () => js(() => document.body.innerText.replace(/\s+/g, ' '))

  /** Waits for an element that takes clicks, and returns where. */
  function find(role: string, name: string | RegExp): Promise<{ x: number; y: number }> {
    const source = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : name.source
    return poll(`${role} ${name}`, async () => {
      const found = await js(findByRole, { role, name: source })
      return 'problem' in found ? found : { value: found }
    })
  }

  /** Waits until a function in the page returns this. */
  const becomes = <A, R>(value: R, run: (argument: A) => R | Promise<R>, argument?: A) =>
    poll(`${run}`, async () => {
      const now = await js(run, argument)
      return isDeepStrictEqual(now, value) ? { value } : { problem: JSON.stringify(now) }
    })

  const shows = (words: string, expected: boolean) =>
    poll(`the page ${expected ? 'shows' : 'doesn’t show'} “${words}”`, async () => {
      const now = await text()
      return now.includes(words) === expected ? { value: now } : { problem: now.slice(0, 1_000) }
    })

  async function click(role: string, name: string | RegExp): Promise<void> {
    const { x, y } = await find(role, name)
    await driver.clickAt(x, y)
  }

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await driver.press(key)
  }

  return {
    goto: (path: string) => driver.goto(url + path),
    reload: driver.reload,
    back: driver.back,
    js,
    text,
    find,
    click,
    press,
    type: driver.type,
    /** Replaces the text of a field. */
    async fill(name: string | RegExp, words: string): Promise<void> {
      await click('textbox', name)
      await press('Control+a')
      await driver.type(words)
    },
    becomes,
    sees: (words: string) => shows(words, true),
    seesNo: (words: string) => shows(words, false),
    /** Waits until the page's connection is in this state: live or offline. */
    link: (state: string) =>
      becomes(state, () => document.querySelector<HTMLElement>('[data-link]')?.dataset.link),
    /** Signs in by a request, as the sign-in page would. */
    async signIn(user: { email: string; password: string }): Promise<void> {
      await driver.goto(`${url}/sign-in`)
      const status = await js(async user => {
        const headers = { 'Content-Type': 'application/json' }
        const body = JSON.stringify(user)
        return (await fetch('/api/auth/sign-in/email', { method: 'POST', headers, body })).status
      }, user)
      if (status !== 200) throw new Error(`signing in returned ${status}`)
    },
    async shot(name: string): Promise<void> {
      mkdirSync(pictures, { recursive: true })
      writeFileSync(join(pictures, `${name}.png`), await driver.shot())
    },
    close: driver.close,
  }
}

/** Looks until there is a value. The error has what was seen last. */
async function poll<T>(what: string, look: () => Promise<{ value: T } | { problem: string }>): Promise<T> {
  const deadline = Date.now() + LIMIT_MS
  while (true) {
    // The page may be on its way to another one.
    const seen = await look().catch(error => ({ problem: String(error) }))
    if ('value' in seen) return seen.value
    if (Date.now() > deadline) throw new Error(`not within ${LIMIT_MS} ms: ${what}\n${seen.problem}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
