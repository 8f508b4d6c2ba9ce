// Changes arrive while a page is open, also those that people make in another browser.
import { expect, test } from 'vitest'
import { question, text } from '../../browser/support/api.ts'
import { api, openElsewhere, openSignedIn } from '../support/stage.ts'

const SEEN_WITHIN_MS = 2_000

export function liveRules(): void {
  test('cards are inserted, changed and deleted on the screen, and a decision pressed in another browser is seen', async () => {
    const { id } = await api.createChannel('Live')
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    const late: string[] = []
    const within = async (what: string, seen: Promise<unknown>) => {
      const began = Date.now()
      await seen
      if (Date.now() - began > SEEN_WITHIN_MS) late.push(`${what}: ${Date.now() - began} ms`)
    }
    const pushed = await api.push(id, [text('Inserted')])
    await within('insert', page.sees('Inserted'))
    await api.patch(id, pushed.id, { blocks: [{ id: 'text', patch: { content: 'Changed' } }] })
    await within('update', page.sees('Changed'))
    await api.remove(id, pushed.id)
    await within('delete', page.seesNo('Changed'))

    await api.push(id, [text('Release 2.5.0'), question({}, 'Approve', 'Reject')])
    await page.find('button', 'Approve')
    const other = await openElsewhere()
    await other.goto(`/c/${id}`)
    await other.click('button', 'Approve')
    await other.sees('chose Approve')
    await within('decision', page.sees('chose Approve'))
    expect(late).toEqual([])
  })
}
