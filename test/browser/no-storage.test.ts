// Browsers that save nothing: private windows, a full disk, a broken database. The page works all the same.
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { api, server, setStage, signedIn } from './support/stage.ts'
import { interactionStatus, openChannel } from './support/visit.ts'

setStage()

// Each runs in the page.
const storages: [string, () => void][] = [
  [
    'never answers',
    () => {
      // @ts-expect-error a request that never completes
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

test.each(storages)(
  'a storage that %s: cards appear and update, and interactions are sent',
  async (_, breakStorage) => {
    const { id } = await api.createChannel('Unkept')
    await api.push(id, [
      text('Ready?'),
      { type: 'input', id: 'note', label: 'Note' },
      { type: 'button', id: 'b', buttons: [{ id: 'go', label: 'Go' }] },
    ])
    const { page, faults } = await signedIn()
    await page.addInitScript(breakStorage)
    for (const round of [1, 2]) {
      await openChannel(page, server, id)
      await page.getByText('Ready?').waitFor()
      await api.push(id, [text(`Pushed in round ${round}`)])
      await page.getByText(`Pushed in round ${round}`).waitFor()
      await page.getByLabel('Note').fill(`Words of round ${round}`)
      await page.getByRole('button', { name: 'Go' }).click()
      await interactionStatus(page, 'sent').waitFor()
    }
    expect(faults).toEqual([])
    await page.context().close()
  },
)
