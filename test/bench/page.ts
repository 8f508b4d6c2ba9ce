// How soon the channel page shows its first card on a phone: from an empty cache, and on a second visit.
// `npm run bench:page` prints medians of 9 visits each; needs nothing but the browser from the npm registry.
import type { BrowserContext, Page } from 'playwright-core'
import { makeApi, pushMany } from '../browser/support/api.ts'
import { launchChromium } from '../browser/support/chromium.ts'
import { makeSession } from '../browser/support/session.ts'
import { pushShowcase } from '../browser/support/showcase.ts'
import { keptForOffline, linkSign } from '../browser/support/visit.ts'
import { startServer } from '../support/server.ts'
import { SLOW_4G, startPhoneNetwork } from './phone-network.ts'

const ROUNDS = 9
const CARDS = 200
const CPU_SLOWDOWN = 4
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

declare global {
  interface Window {
    /** When the first card was painted, in ms since the navigation began. */
    first_card?: number
  }
}

const server = await startServer({ DAILY_CARD_LIMIT: '0' })
const network = await startPhoneNetwork(server.url)
const browser = await launchChromium()
try {
  const page_url = `${network.url}/c/${await prepareChannel()}`
  const cold: number[] = []
  const warm: number[] = []
  const offline: number[] = []
  let scripts = { files: 0, bytes: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext(PHONE)
    await context.addInitScript(noteFirstCard)
    const first = await open(context, page_url)
    cold.push(await firstCard(first))
    scripts = await first.evaluate(countScripts)
    await linkSign(first, 'live')
    await keptForOffline(first)
    // What the service worker keeps in the background has come, and the local copy is written.
    await first.waitForLoadState('networkidle')
    await first.close()
    warm.push(await firstCard(await open(context, page_url)))
    await context.setOffline(true)
    offline.push(await firstCard(await open(context, page_url)))
    await context.close()
  }
  const { round_trip_ms, down_bytes_per_s } = SLOW_4G
  console.log(`First card on the screen in ms, median of ${ROUNDS} visits (least to most). A channel of ${CARDS} cards; a window of
${PHONE.viewport.width} × ${PHONE.viewport.height}, a CPU ${CPU_SLOWDOWN} times slower, ${round_trip_ms} ms round trip, ${(down_bytes_per_s * 8) / 1e6} Mbit/s.
  empty cache    ${figures(cold)}
  second visit   ${figures(warm)}
  … offline      ${figures(offline)}
JavaScript of the page: ${scripts.files} files, ${(scripts.bytes / 1000).toFixed(1)} KB as transferred`)
} finally {
  await browser.close()
  await network.stop()
  await server.stop()
}

/** A public channel: a viewer needs no session. */
async function prepareChannel(): Promise<string> {
  const session = await makeSession(server)
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  const api = makeApi(server)
  const { id } = await api.createChannel('Deployments')
  await pushMany(api, id, CARDS)
  await pushShowcase(api, id)
  return id
}

async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url, { waitUntil: 'commit' })
  return page
}

async function firstCard(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => window.first_card)
  return (await handle.jsonValue()) ?? Number.NaN
}

/** Runs in the page: the end of the frame that shows the first card. */
function noteFirstCard(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('article')) return
    observer.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        window.first_card = performance.now()
      }
      port2.postMessage(null)
    })
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. */
function countScripts(): { files: number; bytes: number } {
  const scripts = performance
    .getEntriesByType('resource')
    .filter((entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming)
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
  return {
    files: scripts.length,
    bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  }
}

function figures(samples: number[]): string {
  const sorted = samples.toSorted((a, b) => a - b).map(Math.round)
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`
}
