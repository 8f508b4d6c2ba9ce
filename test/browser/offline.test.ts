// Without a network the app opens, shows its local copy, says that it is offline, and catches up later.
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { pushMany, text } from './support/api.ts'
import { goOffline } from './support/interactions.ts'
import { makeGate } from './support/requests.ts'
import {
  api,
  createChannel,
  openAsGuest,
  opened,
  openedKeeping,
  openNew,
  openNewKeeping,
  server,
  session,
  setStage,
  signedIn,
} from './support/stage.ts'
import { card, cardTexts, KEEPING, keptForNextVisit, keptForOffline, linkStatus } from './support/visit.ts'
import { makeWorkspace, pushToEach } from './support/workspaces.ts'

setStage()

test('a channel seen before opens offline, says so, and catches up later', async () => {
  const { id, card_id: gone } = await createChannel(
    { name: 'Seen before' },
    text('Before, deleted meanwhile'),
  )
  await api.push(id, [text('Before')])
  const { page } = await openedKeeping(id)
  await card(page, 'Before').first().waitFor()

  await goOffline(page)
  await page.reload()
  await linkStatus(page, 'offline')
  await page.getByText('You are offline').waitFor()
  expect(await page.getByRole('banner').getByText('Offline').count()).toBe(0)
  await card(page, 'deleted meanwhile').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
  await expect.poll(() => page.title()).toContain('Seen before · ')

  await api.push(id, [text('Meanwhile')])
  await api.remove(id, gone)
  await page.context().setOffline(false)
  await linkStatus(page, 'live')
  await card(page, 'Meanwhile').waitFor()
  await card(page, 'deleted meanwhile').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('You are offline').count()).toBe(0)
})

test('a first visit that only got its first cards has them offline', async () => {
  const { id } = await createChannel({ name: 'Cut short' }, text('All there was'))
  const { page } = await signedIn(KEEPING)
  await page.routeWebSocket(/\/sync\//, () => {})
  await page.route(/\/document$/, () => {})
  await page.goto(`${server.url}/c/${id}`)
  await card(page, 'All there was').waitFor()
  await keptForOffline(page)

  await page.context().setOffline(true)
  await page.reload()
  await linkStatus(page, 'offline')
  await card(page, 'All there was').waitFor()
  await page.getByRole('heading', { name: 'Cut short' }).waitFor()
})

test('a second visit reads the local copy once, before the app has loaded', async () => {
  const { id, page } = await openNew({}, text('Kept'))
  await card(page, 'Kept').waitFor()
  await keptForNextVisit(page)
  await page.addInitScript(() => {
    const get = IDBObjectStore.prototype.get
    IDBObjectStore.prototype.get = function (key) {
      // The app's store belongs to a frame.
      parent.performance.mark(`read ${key}`)
      return get.call(this, key)
    }
  })
  const reads = async () => {
    const marks = await page.evaluate(() => performance.getEntriesByType('mark').map(({ name }) => name))
    return marks.filter(name => name.startsWith('read ') && name.endsWith(id)).sort()
  }
  const readsOf = (...kinds: string[]) => kinds.map(kind => `read ${kind}:${id}`)
  const app = makeGate()
  await page.route(/\/assets\/app-/, route => app.opened.then(() => route.continue()))

  await page.reload({ waitUntil: 'commit' })
  await expect.poll(reads).toEqual(readsOf('document', 'drafts', 'handed', 'view'))
  await expect.poll(() => isPageOfLastVisit(page)).toBe(true)
  app.open()
  await linkStatus(page, 'live')
  // The rest is read later, once the page knows who the viewer is.
  const all = readsOf('by-name', 'document', 'drafts', 'handed', 'replies-seen', 'view')
  await expect.poll(reads).toEqual(all)
})

/** What start.js shows while the app loads. */
const isPageOfLastVisit = (page: Page) =>
  page.evaluate(() => document.getElementById('app')?.hasAttribute('inert'))

test('the page appears as it was left, before the app has loaded', async () => {
  const { id } = await api.createChannel('As it was left')
  await pushMany(api, id, 60)
  await api.push(id, [
    text('A form'),
    { type: 'select', id: 'region', label: 'Region', options: ['eu', 'us'], value: 'us' },
    { type: 'toggle', id: 'canary', label: 'Canary', value: true },
    { type: 'input', id: 'note', label: 'Note' },
  ])
  const { page } = await opened(id)
  await page.getByLabel('Note').fill('typed')
  const app = makeGate()
  await page.route(/\/assets\/app-.*\.js/, route => app.opened.then(() => route.continue()))
  await page.reload({ waitUntil: 'commit' })
  await card(page, 'Card 60').waitFor()
  expect(await page.getByLabel('Region').inputValue()).toBe('us')
  expect(await page.getByLabel('Canary').isChecked()).toBe(true)
  expect(await page.getByLabel('Note').inputValue()).toBe('typed')
  await page.getByText('As it was left').first().waitFor()
  expect(await isPageOfLastVisit(page)).toBe(true)
  // The day may be another one by now, and cards below the screen would delay the others.
  await expect.poll(() => page.locator('.day-words').first().isVisible()).toBe(false)
  const tops = () =>
    page
      .locator('article')
      .evaluateAll(articles => articles.map(article => article.getBoundingClientRect().top))
  expect(Math.max(...(await tops()))).toBeLessThan(page.viewportSize()?.height ?? 0)
  expect(await page.getByLabel('Note').isEditable()).toBe(false)
  const top = async () => (await tops())[0]
  const before = await top()

  app.open()
  await linkStatus(page, 'live')
  expect(await isPageOfLastVisit(page)).toBe(false)
  await expect.poll(top).toBe(before)
})

test('the page of the last visit is only shown unchanged, and in a window of the same width', async () => {
  const { id, page } = await openNew({}, text('First'))
  await card(page, 'First').waitFor()
  await keptForNextVisit(page)
  const isApp = /\/assets\/app-.*\.js/
  const isShownAgain = async () => {
    const app = makeGate()
    await page.route(isApp, route => app.opened.then(() => route.continue()))
    await page.goto(`${server.url}/c/${id}`, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.readyState !== 'loading')
    const shown = await isPageOfLastVisit(page)
    app.open()
    await linkStatus(page, 'live')
    await page.unroute(isApp)
    return shown
  }
  await page.goto('about:blank')
  expect(await isShownAgain()).toBe(true)
  await page.goto('about:blank')
  await page.setViewportSize({ width: 700, height: 800 })
  expect(await isShownAgain()).toBe(false)

  const saved = () => page.evaluate(() => localStorage.getItem('last-page'))
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
  expect(await saved()).not.toBe(null)
  await api.push(id, [text('Second')])
  await card(page, 'Second').waitFor()
  expect(await saved()).toBe(null)
})

test('a channel’s page is kept without a filter, and not as part of its workspace', async () => {
  const workspace = await makeWorkspace('Not kept', { channels: ['One'] })
  await pushToEach(workspace, ['One'])
  const { page } = await opened(workspace.ids[0] ?? '')
  const keptAfterLeaving = () =>
    page.evaluate(() => {
      localStorage.removeItem('last-page')
      dispatchEvent(new PageTransitionEvent('pagehide'))
      return localStorage.getItem('last-page') !== null
    })
  expect(await keptAfterLeaving()).toBe(true)
  await page.getByRole('button', { name: 'Errors' }).click()
  await page.waitForURL(/show=errors/)
  expect(await keptAfterLeaving()).toBe(false)
  await page.goto(workspace.url)
  await card(page, 'In one').waitFor()
  await linkStatus(page, 'live')
  expect(await keptAfterLeaving()).toBe(false)
})

/** A page on a channel of five cards, whose topmost cards are saved. */
async function openedBefore(name: string): Promise<Page> {
  const { id } = await api.createChannel(name)
  await pushMany(api, id, 5)
  const { page } = await opened(id)
  await page.waitForFunction(() => localStorage.getItem('last-look')?.includes('Card 5'))
  return page
}

test('a page that is left when the local copy has just been read throws nothing', async () => {
  const page = await openedBefore('Read and left')
  await page.waitForFunction(async () =>
    (await indexedDB.databases()).some(({ name }) => name === 'channel-feed'),
  )
  await page.addInitScript(() => {
    Object.defineProperty(IDBTransaction.prototype, 'oncomplete', {
      set(run: (event: Event) => void) {
        this.addEventListener('complete', (event: Event) => {
          for (const type of ['pagehide', 'pageshow'])
            dispatchEvent(new PageTransitionEvent(type, { persisted: true }))
          document.documentElement.dataset.left = ''
          run(event)
        })
      },
    })
  })
  await page.reload()
  await page.locator('html[data-left]').waitFor()
  await linkStatus(page, 'live')
})

test('the topmost cards of the last channel appear without waiting for IndexedDB', async () => {
  const page = await openedBefore('Read at once')
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  })
  // The server doesn't answer either.
  await page.route('**/api/**', () => undefined)
  await page.reload()
  await card(page, 'Card 5').waitFor()
  await expect.poll(() => cardTexts(page)).toEqual(['Card 5', 'Card 4', 'Card 3'])
})

test('the topmost cards appear in the first frame of the app', async () => {
  const page = await openedBefore('In one frame')
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('#app:not([inert]) .feed')) return
      observer.disconnect()
      const cards = [...document.querySelectorAll('article')]
      const shown = cards.filter(card => getComputedStyle(card).visibility === 'visible')
      Object.assign(window, { cardsWithPage: shown.length })
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await card(page, 'Card 5').waitFor()
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'cardsWithPage'))).toBe(3)
})

test('a page whose scripts fail to load shows the first cards, and reloads until they load', async () => {
  const { id } = await createChannel({}, text('Seen at once'))
  const { page } = await signedIn()
  let requests = 0
  const lose = (route: Route) => (requests++ < 2 ? route.abort() : route.continue())
  await page.context().route(/\/assets\/live-document-/, lose)
  await page.goto(`${server.url}/c/${id}`)
  await card(page, 'Seen at once').waitFor()
  await linkStatus(page, 'live')
  expect(requests).toBeGreaterThan(2)
  await api.push(id, [text('And live')])
  await card(page, 'And live').waitFor()
})

test('lost history is dropped and synced again while the cards stay on the screen', async () => {
  const { id, page } = await openNewKeeping({}, text('Still here'))
  let closed = 0
  await page.routeWebSocket(/\/sync\//, socket => {
    if (closed === 2) return void socket.connectToServer()
    closed++
    socket.close({ code: 4409 })
  })
  await page.reload()
  await card(page, 'Still here').waitFor()
  await linkStatus(page, 'live')
  expect(closed).toBe(2)
  await api.push(id, [text('And live')])
  await card(page, 'And live').waitFor()
  // A card that moves down is hidden for a frame, until it is measured.
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
})

test('a channel or workspace that was never opened says so offline', async () => {
  const { page } = await openAsGuest('/', KEEPING)
  await keptForOffline(page)
  await page.context().setOffline(true)
  const { slug } = await session<{ slug: string }>('GET', `/workspaces/${server.workspace_id}`)
  for (const path of [`/c/${server.channel_id}`, `/w/${slug}`]) {
    await page.goto(server.url + path)
    await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  }
})
