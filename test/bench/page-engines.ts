// When the first card is on the screen in Chromium, Firefox and WebKit: first visit, second visit, and the page's scripts.
// `npm run bench:engines`. Each runs on the same simulated phone network; no engine but Chromium can slow down the CPU, so
// none does. bench/page.ts has Chromium's figures on a slow CPU.
import { makeWindow } from '../engines/support/engine-window.ts'
import { type EngineName, LEFT_OUT, launch } from '../engines/support/engines.ts'
import { startTestProxy } from '../engines/support/test-proxy.ts'
import { startServer } from '../support/server.ts'
import { CARDS, preparePageChannel } from './page-channel.ts'
import { SLOW_4G, startPhoneNetwork } from './phone-network.ts'

const ROUNDS = 3
const ENGINES: EngineName[] = ['chromium', 'firefox', 'webkit']

declare global {
  interface Window {
    /** When the frame after the first card began, in ms since the navigation began. */
    first_card?: number
  }
}

const server = await startServer({ DAILY_CARD_LIMIT: '0' })
const proxy = await startTestProxy(server.url)
const network = await startPhoneNetwork(proxy.url)
try {
  const path = `/c/${await preparePageChannel(server)}`
  proxy.setScript(noteFirstCard)
  const { round_trip_ms, down_bytes_per_s } = SLOW_4G
  console.log(`First card in ms, median of ${ROUNDS} visits (least to most). A channel of ${CARDS} cards, ${round_trip_ms} ms round trip,
${(down_bytes_per_s * 8) / 1e6} Mbit/s.`)
  for (const name of ENGINES.filter(name => LEFT_OUT[name].length === 0)) await measure(name, path)
} finally {
  await network.stop()
  await proxy.stop()
  await server.stop()
}

async function measure(name: EngineName, path: string): Promise<void> {
  const engine = await launch(name)
  const visits: Record<'first' | 'second', number[]> = { first: [], second: [] }
  let scripts = 0
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const page = makeWindow(await engine.open(), network.url)
      for (const visit of ['first', 'second'] as const) {
        await page.goto(path)
        await page.link('live')
        visits[visit].push(await page.js(() => window.first_card ?? Number.NaN))
        if (visit === 'first') scripts = await page.js(countScripts)
        await page.js(() => navigator.serviceWorker.ready.then(() => true))
      }
      await page.close()
    }
  } finally {
    await engine.stop()
  }
  console.log(
    `${name}: first visit ${figures(visits.first)}, second visit ${figures(visits.second)}, scripts ${scripts} KB`,
  )
}

/** Runs in the page. */
function noteFirstCard(): void {
  const drawing = new MutationObserver(() => {
    if (!document.querySelector('article')) return
    drawing.disconnect()
    requestAnimationFrame(() => {
      window.first_card = performance.now()
    })
  })
  drawing.observe(document, { childList: true, subtree: true })
}

/** Runs in the page: kilobytes of scripts as transferred. */
function countScripts(): number {
  const bytes = performance
    .getEntriesByType('resource')
    .filter(entry => new URL(entry.name).pathname.endsWith('.js'))
    .reduce((sum, entry) => sum + Number(entry.toJSON().encodedBodySize ?? 0), 0)
  return Math.round(bytes / 1000)
}

function figures(samples: number[]): string {
  const sorted = samples.toSorted((a, b) => a - b).map(Math.round)
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`
}
