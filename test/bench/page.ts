// Measures how soon the channel page shows its first card on a phone, on a first and a second visit.
// `npm run bench:page` prints medians of 9 visits each; needs nothing but the browser from the npm registry.
import type { BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../browser/support/chromium.ts'
import { keptForOffline, linkStatus } from '../browser/support/visit.ts'
import { startServer } from '../support/server.ts'
import { CARDS, preparePageChannel } from './page-channel.ts'
import { SLOW_4G, startPhoneNetwork } from './phone-network.ts'

const ROUNDS = 9
const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

declare global {
  interface Window {
    /** Receives when the first card was painted, in ms since the navigation began. Installed by DevTools. */
    tellFirstCard: (ms: string) => void
  }
}

type Visit = { page: Page; first_card: number }

const server = await startServer({ DAILY_CARD_LIMIT: '0', DAILY_BYTE_LIMIT: '0' })
const network = await startPhoneNetwork(server.url)
const browser = await launchChromium()
try {
  const page_url = `${network.url}/c/${await preparePageChannel(server)}`
  const cold: number[] = []
  const warm: number[] = []
  const offline: number[] = []
  let scripts = { first: 0, all: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext(PHONE)
    await context.addInitScript(noteFirstCard)
    const first = await visit(context, page_url)
    cold.push(first.first_card)
    await linkStatus(first.page, 'live')
    await keptForOffline(first.page)
    // The service worker has cached its files, and the local copy is written.
    await first.page.waitForLoadState('networkidle')
    scripts = await first.page.evaluate(countScripts, first.first_card)
    await leave(first.page)
    const second = await visit(context, page_url)
    warm.push(second.first_card)
    await linkStatus(second.page, 'live')
    await leave(second.page)
    await context.setOffline(true)
    offline.push((await visit(context, page_url)).first_card)
    await context.close()
  }
  const { round_trip_ms, down_bytes_per_s } = SLOW_4G
  console.log(`First card on the screen in ms, median of ${ROUNDS} visits (least to most). A channel of ${CARDS} cards; a window of
${PHONE.viewport.width} × ${PHONE.viewport.height}, a CPU ${CPU_SLOWDOWN} times slower, ${round_trip_ms} ms round trip, ${(down_bytes_per_s * 8) / 1e6} Mbit/s.
  empty cache    ${figures(cold)}
  second visit   ${figures(warm)}
  … offline      ${figures(offline)}
JavaScript of the page as transferred: ${kilobytes(scripts.first)} before the first card, ${kilobytes(scripts.all)} in all`)
} finally {
  await browser.close()
  await network.stop()
  await server.stop()
}

/** The page reports when it is done, because polling would disturb it. */
async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await devtools.send('Runtime.enable')
  await devtools.send('Runtime.addBinding', { name: 'tellFirstCard' })
  const told = new Promise<number>(resolve =>
    devtools.on('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload))),
  )
  await page.goto(url, { waitUntil: 'commit' })
  return { page, first_card: await told }
}

/** Opens another page, as people do. A page that is only closed doesn't learn that it is left. */
async function leave(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.close()
}

/**
 * Runs in the page: reports when the browser presented the first frame with a card. On later visits that is the first frame
 * with anything. Its cards are soon replaced, and the largest paint doesn't name elements that are gone.
 */
function noteFirstCard(): void {
  let inPageAt = Number.POSITIVE_INFINITY
  const drawing = new MutationObserver(() => {
    if (!document.querySelector('article')) return
    inPageAt = performance.now()
    drawing.disconnect()
  })
  drawing.observe(document, { childList: true, subtree: true })
  const painting = new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      if (entry.name === 'first-contentful-paint' && entry.startTime > inPageAt) return tell(entry.startTime)
      if (entry instanceof LargestContentfulPaint && entry.element?.closest('article'))
        return tell(entry.renderTime)
    }
  })
  for (const type of ['paint', 'largest-contentful-paint']) painting.observe({ type, buffered: true })
  function tell(ms: number): void {
    painting.disconnect()
    window.tellFirstCard(String(ms))
  }
}

/** Runs in the page: transferred bytes, in total and up to the first card (ms since the navigation began). */
function countScripts(first_card: number): { first: number; all: number } {
  const scripts = performance
    .getEntriesByType('resource')
    .filter((entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming)
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
  let [first, all] = [0, 0]
  for (const { encodedBodySize, responseEnd } of scripts) {
    all += encodedBodySize
    if (responseEnd < first_card) first += encodedBodySize
  }
  return { first, all }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`
}

function figures(samples: number[]): string {
  const sorted = samples.toSorted((a, b) => a - b).map(Math.round)
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`
}
