// Draws every page, light and dark, wide, phone, narrow and right-to-left, into test-results/screenshots/. Run it with
// `npx tsx test/browser/screenshots.ts [part of a name] [part of a mode]` after a build, and look.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startServer, type TestServer } from '../support/server.ts'
import { makeApi, pushMany } from './support/api.ts'
import { builderScenes } from './support/builder-scenes.ts'
import { launchChromium } from './support/chromium.ts'
import { prepareDashboard } from './support/dashboard-data.ts'
import { dashboardScenes } from './support/dashboard-scenes.ts'
import { startHooks } from './support/hooks.ts'
import { peopleScenes } from './support/people-scenes.ts'
import { pictureScenes } from './support/picture-scenes.ts'
import type { Scene } from './support/scenes.ts'
import { makeUser } from './support/session.ts'
import { pushInteractive, pushShowcase } from './support/showcase.ts'
import { UNLIMITED } from './support/stage.ts'
import { viewerScenes } from './support/viewer-scenes.ts'
import { KEEPING, PHONE, signIn, takeFaults, visit } from './support/visit.ts'
import { prepareWorkspaces, workspaceScenes } from './support/workspace-scenes.ts'

const folder = fileURLToPath(new URL('../../test-results/screenshots', import.meta.url))
const WIDE = { viewport: { width: 1280, height: 900 } }
const SHARP_PHONE = { ...PHONE, deviceScaleFactor: 2 }
const NARROW = { ...SHARP_PHONE, viewport: { width: 320, height: 640 } }
const [light, dark] = [{ colorScheme: 'light' }, { colorScheme: 'dark' }] as const
const MODES: Record<string, BrowserContextOptions> = {
  'wide-light': { ...WIDE, ...light },
  'wide-dark': { ...WIDE, ...dark },
  'phone-light': { ...SHARP_PHONE, ...light },
  'phone-dark': { ...SHARP_PHONE, ...dark },
  'narrow-light': { ...NARROW, ...light },
  'rtl-light': { ...WIDE, ...light },
}

async function draw(browser: Browser, server: TestServer, scene: Scene, mode: string): Promise<void> {
  const { page } = await visit(browser, { ...KEEPING, ...MODES[mode], bypassCSP: true })
  await page.addInitScript(addEmojiFont, emojiFont())
  if (mode.startsWith('rtl')) await page.addInitScript(turnAround)
  await page.route('https://images.example/**', route => {
    const found = route.request().url().endsWith('.svg')
    return found ? route.fulfill({ contentType: 'image/svg+xml', body: picture }) : route.abort()
  })
  if (scene.signedIn) await signIn(page, server.url, server.owner)
  await scene.show(page)
  // Fonts, images and the measuring of the list settle.
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForTimeout(400)
  const path = join(folder, `${scene.name}-${mode}`)
  if (scene.full) await growWindow(page)
  await page.screenshot({ path: `${path}.png` })
  if (scene.rest) await drawRest(page, path)
  for (const fault of takeFaults()) console.warn(`${scene.name}: ${fault}`)
  await page.context().close()
}

/** To the whole page. What Playwright calls a full page is drawn as if no finger touched it. */
async function growWindow(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  if (whole <= height) return
  await page.setViewportSize({ width, height: whole })
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** The rest of a feed, a screen at a time. */
async function drawRest(page: Page, path: string): Promise<void> {
  const height = page.viewportSize()?.height ?? 0
  for (let i = 2; i <= 5; i++) {
    const more = await page.locator('.feed-scroller').evaluate((scroller, by) => {
      const before = scroller.scrollTop
      scroller.scrollBy({ top: by, behavior: 'instant' })
      return scroller.scrollTop > before
    }, height - 120)
    if (!more) return
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${path}-${i}.png` })
  }
}

function emojiFont(): string {
  const file = '../../node_modules/@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2'
  return readFileSync(fileURLToPath(new URL(file, import.meta.url))).toString('base64')
}

/** The test browser has no emoji of its own. */
function addEmojiFont(font: string): void {
  document.addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style')
    style.textContent = `@font-face { font-family: "Noto Color Emoji"; src: url("data:font/woff2;base64,${font}") }`
    document.head.append(style)
  })
}

/** As if the app were in Arabic or Hebrew. */
function turnAround(): void {
  document.addEventListener('DOMContentLoaded', () => {
    document.documentElement.dir = 'rtl'
  })
}

async function drawAll(scenes: Scene[], server: TestServer): Promise<void> {
  for (const scene of scenes.filter(({ name }) => name.includes(wanted)))
    for (const mode of modes) await draw(browser, server, scene, mode)
}

const bars = [40, 64, 52, 90, 120, 84, 140, 132, 156, 118].map(
  (height, i) =>
    `<rect x="${30 + i * 56}" y="${210 - height}" width="36" height="${height}" rx="5" fill="#6f7ff0"/>`,
)
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="620" height="240"><rect width="620" height="240" fill="#eef0fb"/>${bars.join('')}</svg>`

const [, , wanted = '', wantedMode = ''] = process.argv
const modes = Object.keys(MODES).filter(mode => mode.includes(wantedMode))
mkdirSync(folder, { recursive: true })
const server = await startServer(UNLIMITED)
const browser = await launchChromium()
const hooks = await startHooks()
try {
  const api = makeApi(server)
  const create = async (name: string, fields: object) => (await api.createChannel(name, fields)).id
  const about = 'Builds, deploys and what people decide about them. Runbook: https://example.com/runbook'
  const alerts = { icon: '💳', description: 'Alerts, and what is done about them.', webhook_url: hooks.url }
  const log = { icon: '🌡️', mode: 'view', description: 'One card a minute.' }
  const channels = {
    full: await create('Release train', { icon: '🚆', description: about }),
    empty: await create('Invoices', { icon: '🧾', mode: 'view' }),
    long: await create('Sensor log', log),
    interactive: await create('Payments', alerts),
  }
  hooks.behave(({ body }) => ({ kind: 'answer', status: body.includes('Restart') ? 502 : 204 }))
  await pushInteractive(api, channels.interactive)
  await pushShowcase(api, channels.full)
  await pushMany(api, channels.long, 40)
  const dashboard = await prepareDashboard(server, api)
  const workspaces = await prepareWorkspaces(server, api)
  const all = [
    ...viewerScenes(server, api, channels),
    ...dashboardScenes(server, dashboard),
    ...(await peopleScenes(server)),
    ...(await builderScenes(server, api)),
    ...workspaceScenes(server, api, workspaces),
  ]
  await drawAll(all, server)
  const person = { ...server, owner: await makeUser(server, 'Ann Lee') }
  await drawAll(await pictureScenes(person), person)
  await dashboard.stop()
} finally {
  await browser.close()
  await server.stop()
  await hooks.stop()
}
