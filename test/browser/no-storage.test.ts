// Browsers that keep nothing: private windows, a full disk, a database that is broken. The page works all the same.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { actSign, openChannel, signIn, visit } from './support/visit.ts'

let server: TestServer
let browser: Browser
let api: Api

beforeAll(async () => {
  server = await startServer()
  browser = await launchChromium()
  api = makeApi(server)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

// Each runs in the page.
const storages: [string, () => void][] = [
  [
    'never answers',
    () => {
      // @ts-expect-error an object on which nothing ever happens
      IDBFactory.prototype.open = () => new EventTarget()
    },
  ],
  [
    'refuses',
    () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('not in private windows', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('not in private windows', 'SecurityError')
          },
        })
      }
    },
  ],
]

test.each(storages)('a storage that %s: cards are shown, followed and acted on', async (_, breakStorage) => {
  const { id } = await api.createChannel('Unkept')
  await api.push(id, [
    text('Ready?'),
    { type: 'input', id: 'note', label: 'Note' },
    { type: 'button', id: 'b', buttons: [{ id: 'go', label: 'Go' }] },
  ])
  const { page, faults } = await visit(browser)
  await page.addInitScript(breakStorage)
  await signIn(page, server)
  for (const round of [1, 2]) {
    await openChannel(page, server, id)
    await page.getByText('Ready?').waitFor()
    await api.push(id, [text(`Pushed in round ${round}`)])
    await page.getByText(`Pushed in round ${round}`).waitFor()
    await page.getByLabel('Note').fill(`Words of round ${round}`)
    await page.getByRole('button', { name: 'Go' }).click()
    await actSign(page, 'sent').waitFor()
  }
  expect(faults).toEqual([])
  await page.context().close()
})
