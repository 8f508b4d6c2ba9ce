// A person at a browser: a window of their own, signed in or not.
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'

/** `SLOW=1000 npx vitest run --project=browser` finds tests that rely on fast responses or messages. */
const SLOWEST_RESPONSE_MS = Number(process.env.SLOW ?? 0)

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** User agents. */
export const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
/** The service worker keeps the app for offline use. It stores the whole app again for each window. */
export const KEEPING = { serviceWorkers: 'allow' as const }

/** A page of a fresh window. */
export type Visit = { page: Page }

const faults: string[] = []
/** What scripts of all pages threw, or tried against their policy, since the last call. */
export const takeFaults = (): string[] => faults.splice(0)

/** Opens a fresh window, without the service worker unless the options are `KEEPING`. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  if (SLOWEST_RESPONSE_MS > 0) {
    await context.route('**/*', delayResponse)
    await context.addInitScript(delayMessages, SLOWEST_RESPONSE_MS / 5)
  }
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', error => faults.push(error.message))
  await page.addInitScript(reportViolations)
  page.on('console', message => {
    if (message.text().startsWith('against the policy')) faults.push(message.text())
  })
  return { page }
}

async function delayResponse(route: Route): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, Math.random() * SLOWEST_RESPONSE_MS))
  // The page may have gone meanwhile.
  await route.fallback().catch(() => undefined)
}

/** Runs in the page. Delays each message of a socket and keeps their order. */
function delayMessages(slowest_ms: number): void {
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      const late = new WeakSet<Event>()
      let last: Promise<unknown> = Promise.resolve()
      // Before every listener of the page.
      this.addEventListener('message', event => {
        if (late.has(event)) return
        event.stopImmediatePropagation()
        const again = new MessageEvent('message', { data: event.data })
        late.add(again)
        const waited = new Promise(resolve => setTimeout(resolve, Math.random() * slowest_ms))
        last = Promise.all([last, waited]).then(() => this.dispatchEvent(again))
      })
    }
  }
}

/** Runs in the page. Reports everything that its policy blocks, even if the script goes on without an error. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
    console.error(`against the policy (${effectiveDirective}): ${blockedURI} in ${sourceFile}`),
  )
}

/** Signs in with a request, as the sign-in page would. */
export async function signIn(page: Page, url: string, user: TestServer['owner']): Promise<void> {
  const request = { data: user, headers: { Origin: url }, failOnStatusCode: true }
  await page.context().request.post(`${url}/api/auth/sign-in/email`, request)
}

/** Opens a channel and waits until it is live. */
export async function openChannel(page: Page, server: TestServer, channelId: string): Promise<void> {
  await page.goto(`${server.url}/c/${channelId}`)
  await linkStatus(page, 'live')
}

export async function linkStatus(page: Page, state: string): Promise<void> {
  await page.locator(`[data-link="${state}"]`).waitFor()
}

export const card = (page: Page, words: string | RegExp) =>
  page.getByRole('article').filter({ hasText: words })

/** The texts of the cards on the screen, from the top. */
export function cardTexts(page: Page): Promise<(string | null)[]> {
  return page.getByRole('article').evaluateAll(cards =>
    cards
      .map(card => ({
        top: card.getBoundingClientRect().top,
        text: card.querySelector('.text')?.textContent ?? null,
      }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text),
  )
}

/** Turns the wheel by `pixels` over a feed, once so much of it is there: it comes in parts. */
export async function scrollFeed(page: Page, pixels: number): Promise<void> {
  await page.waitForFunction(pixels => {
    const feed = document.querySelector('.feed-scroller')
    return feed && feed.scrollHeight - feed.clientHeight > pixels
  }, pixels)
  await page.locator('.feed-scroller').hover()
  await page.mouse.wheel(0, pixels)
  // The list corrects the position by what it guessed wrong about the heights of cards.
  await page.waitForFunction(pixels => {
    const top = document.querySelector('.feed-scroller')?.scrollTop ?? 0
    return Math.abs(top - pixels) < pixels / 10
  }, pixels)
}

/** Waits until the device has the cards that the next visit shows first. They are saved after they are on the screen. */
export const keptForNextVisit = (page: Page) =>
  page.waitForFunction(() => localStorage.getItem('last-look') !== null)

/** Waits until the service worker has kept the app, so that it opens without a network. */
export async function keptForOffline(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
}

/** An interaction in this state: waiting, sent, delivered, failed, held or refused. */
export const interactionStatus = (page: Page, state: string) => page.locator(`[data-interaction="${state}"]`)

/** Every address in Cache Storage. */
export const cached = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(
      names.map(async name =>
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
      ),
    )
    return all.flat()
  })

/** What this browser saved in a store of IndexedDB, as JSON: the value of a key, or all values. */
export const savedIn = (page: Page, database: string, store: string, key?: string) =>
  page.evaluate(
    ([database, store, key]) =>
      new Promise<string>((resolve, reject) => {
        const open = indexedDB.open(database)
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const saved = open.result.transaction(store).objectStore(store)
          const read = key === undefined ? saved.getAll() : saved.get(key)
          read.onsuccess = () => resolve(JSON.stringify(read.result ?? null))
        }
      }),
    [database, store, key] as const,
  )
