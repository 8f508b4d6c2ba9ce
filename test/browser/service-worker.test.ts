// Versions of the app on a device: updates while pages are open, offline parts, and installation.
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { text } from './support/api.ts'
import { press } from './support/page.ts'
import { startUpgradable, type Upgradable } from './support/releases.ts'
import { createChannel, open, openAsGuest, openedKeeping, server, setStage } from './support/stage.ts'
import { cached, card, KEEPING, keptForOffline, linkStatus, openChannel, signIn } from './support/visit.ts'

const SECRET = 'the launch code is 0000'

let upgradable: Upgradable
let channel: string

setStage({}, async env => {
  upgradable = await startUpgradable(env)
  return upgradable
})
beforeAll(async () => {
  channel = (await createChannel({ name: 'Launches' }, text(SECRET))).id
})
beforeEach(() => upgradable.release('first'))

/** `first` or `second`, by what the page runs. */
const releaseOf = (page: Page) => page.evaluate((): string => Reflect.get(window, 'release') ?? 'first')
const update = (page: Page) =>
  page
    .evaluate(() => navigator.serviceWorker.getRegistration().then(found => found?.update()))
    .then(() => undefined)
const newVersion = (page: Page) => page.getByText('A new version is ready.')

/** The channel in the owner's window, which runs from the service worker. */
async function openFromWorker(): Promise<Page> {
  const { page } = await openedKeeping(channel)
  await page.reload()
  await card(page, SECRET).waitFor()
  return page
}

test('an open page keeps its version, announces a newer one, and loads it when it is opened next', async () => {
  const page = await openFromWorker()
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))

  upgradable.release('second')
  await update(page)
  await newVersion(page).waitFor()
  // A part that is loaded only now, and that the server has no more.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search c' }).waitFor()
  await expect.poll(() => releaseOf(page)).toBe('first')
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'sameDocument'))).toBe(true)
  await page.keyboard.press('Escape')

  const other = await page.context().newPage()
  await openChannel(other, server, channel)
  await expect.poll(() => releaseOf(other)).toBe('second')

  await press(page, 'Reload')
  await page.waitForFunction(() => Reflect.get(window, 'release') === 'second')
  await card(page, SECRET).waitFor()
  await expect.poll(() => newVersion(page).count()).toBe(0)
  await page.context().setOffline(true)
  await page.reload()
  await linkStatus(page, 'offline')
  await expect.poll(() => releaseOf(page)).toBe('second')
})

test('a page whose old scripts are gone reloads with the new version', async () => {
  const { page } = await openAsGuest('/', KEEPING)
  await page.getByRole('heading', { name: 'Live feeds' }).waitFor()
  await keptForOffline(page)
  await page.reload()
  await page.getByRole('heading', { name: 'Live feeds' }).waitFor()
  upgradable.release('second')
  await signIn(page, server.url, server.owner)
  // The dashboard was never opened on this device.
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.waitForFunction(() => Reflect.get(window, 'release') === 'second')
  await page
    .getByLabel('E-mail')
    .or(page.getByRole('heading', { name: 'API keys', exact: true }))
    .first()
    .waitFor()
})

test('an incomplete version on the server is not installed', async () => {
  const page = await openFromWorker()
  const before = (await cached(page)).sort()
  upgradable.releaseHalf()
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    if (!registration) throw new Error('no worker')
    const rejected = new Promise<void>(resolve => {
      registration.addEventListener('updatefound', () => {
        const worker = registration.installing
        worker?.addEventListener('statechange', () => worker.state === 'redundant' && resolve())
      })
    })
    await registration.update().catch(() => undefined)
    await rejected
  })
  await expect.poll(() => newVersion(page).count()).toBe(0)
  expect((await cached(page)).sort()).toEqual(before)
  upgradable.release('second')
  await update(page)
  await newVersion(page).waitFor()
})

test('only a user who opened the dashboard has it offline, in later versions too', async () => {
  const { page } = await openedKeeping(channel)
  const isDashboard = (path: string) => path.includes('/dashboard')
  expect((await cached(page)).filter(isDashboard)).toEqual([])
  expect((await cached(page)).filter(path => path.includes('palette')).length).toBeGreaterThan(0)

  await page.goto(`${server.url}/dashboard/usage`)
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  await expect.poll(async () => (await cached(page)).filter(isDashboard).length).toBeGreaterThan(1)
  await server.kill()
  await page.goto(`${server.url}/dashboard/keys`)
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
  await page.getByText('The server can’t be reached').waitFor()

  upgradable.release('second')
  await server.restart()
  await update(page)
  await newVersion(page).waitFor()
  await server.kill()
  await page.goto(`${server.url}/dashboard/usage`)
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  await expect.poll(() => releaseOf(page)).toBe('second')
  await server.restart()
})

test('a dashboard that was never opened says offline that it is not on the device', async () => {
  const { page } = await openAsGuest('/', KEEPING)
  await keptForOffline(page)
  // Taking the network from the page would leave it to the worker.
  await server.kill()
  await page.goto(`${server.url}/dashboard/keys`)
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  await server.restart()
  await press(page, 'Try again')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a first visit works on a full device', async () => {
  const page = await openFromWorker()
  const device = await page.context().newCDPSession(page)
  await device.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 })
  await page.goto(`${server.url}/dashboard/keys`)
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
})

test('the app can be installed: its manifest and icons are complete', async () => {
  const { page } = await open('/', KEEPING)
  await keptForOffline(page)
  const devtools = await page.context().newCDPSession(page)
  const { errors, data = '{}' } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  const real = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')
  expect(real).toEqual([])
  const manifest: {
    id: string
    scope: string
    icons: { src: string; sizes: string; type: string; purpose: string }[]
    shortcuts: { url: string }[]
  } = JSON.parse(data)
  expect(manifest).toMatchObject({ id: '/', scope: '/' })
  const kinds = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)
  for (const kind of ['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'])
    expect(kinds).toContain(kind)
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await fetch(server.url + src)
    expect(icon.headers.get('Content-Type')).toContain(type)
    if (type === 'image/png') expect(pngSize(await icon.arrayBuffer())).toBe(sizes)
  }
  for (const { url } of manifest.shortcuts) expect((await fetch(server.url + url)).status).toBe(200)
  const touch = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  expect(pngSize(await (await fetch(server.url + touch)).arrayBuffer())).toBe('180x180')
})

function pngSize(png: ArrayBuffer): string {
  const head = new DataView(png)
  return `${head.getUint32(16)}x${head.getUint32(20)}`
}
