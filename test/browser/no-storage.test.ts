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
    'answers late',
    () => {
      const { open } = IDBFactory.prototype
      // Every first request of a page takes two seconds.
      IDBFactory.prototype.open = function (...given) {
        const late = new EventTarget() as IDBOpenDBRequest
        setTimeout(() => {
          const real = open.apply(this, given)
          real.onupgradeneeded = event => {
            Object.assign(late, { result: real.result, transaction: real.transaction })
            late.onupgradeneeded?.(event)
          }
          real.onsuccess = event => {
            Object.assign(late, { result: real.result })
            late.onsuccess?.(event)
          }
        }, 2_000)
        return late
      }
    },
  ],
  [
    'throws',
    () => {
      const error = () => new DOMException('Access is denied for this document.', 'SecurityError')
      const fail = () => {
        throw error()
      }
      const refuse = () => Promise.reject(error())
      IDBFactory.prototype.open = fail
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get: fail })
      LockManager.prototype.request = refuse
      CacheStorage.prototype.open = refuse
      Clipboard.prototype.writeText = refuse
      // Firefox, with site data blocked.
      Object.assign(window, {
        BroadcastChannel: class {
          constructor() {
            fail()
          }
        },
      })
    },
  ],
  [
    'throws even when it is named',
    () => {
      const fail = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'Notification'])
        Object.defineProperty(window, name, { get: fail })
      // As in a sandboxed frame.
      for (const name of ['locks', 'serviceWorker', 'clipboard', 'storage'])
        Object.defineProperty(navigator, name, { get: fail })
      Object.defineProperty(window, 'BroadcastChannel', { value: undefined })
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
    await press(page, 'Channel menu')
    await page.getByRole('button', { name: /^Theme/ }).click()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
  },
)
