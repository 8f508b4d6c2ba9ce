// Browsers that save nothing: private windows, a full disk, a broken database. The page still works.
import { expect, test } from 'vitest'
import { buttons, input, text } from './support/api.ts'
import { delivered } from './support/interactions.ts'
import { press } from './support/page.ts'
import { api, createChannel, hooks, server, setStage, signedIn } from './support/stage.ts'
import { openChannel } from './support/visit.ts'

setStage()

// Each runs in the page.
const storages: [string, () => void][] = [
  [
    'never responds',
    () => {
      // @ts-expect-error a request that never completes
      IDBFactory.prototype.open = () => new EventTarget()
    },
  ],
  [
    'throws',
    () => {
      const error = () => new DOMException('Access is denied for this document.', 'SecurityError')
      const fail = () => {
        throw error()
      }
      IDBFactory.prototype.open = fail
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get: fail })
      LockManager.prototype.request = () => Promise.reject(error())
    },
  ],
]

test.each(storages)(
  'a storage that %s: cards appear and update, and interactions are sent',
  async (_, breakStorage) => {
    const blocks = [text('Ready?'), input('note', 'Note'), buttons('Go')]
    const { id } = await createChannel(hooks.at('/unkept'), ...blocks)
    const { page } = await signedIn()
    await page.addInitScript(breakStorage)
    for (const round of [1, 2]) {
      await openChannel(page, server, id)
      await page.getByText('Ready?').waitFor()
      await api.push(id, [text(`Pushed in round ${round}`)])
      await page.getByText(`Pushed in round ${round}`).waitFor()
      await page.getByLabel('Note').fill(`Words of round ${round}`)
      await press(page, 'Go')
      await delivered(page)
    }
    await page.getByRole('button', { name: /^Theme/ }).click()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
  },
)
