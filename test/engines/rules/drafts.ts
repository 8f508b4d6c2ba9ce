// Drafts and the local copy across page loads.
import { expect, test } from 'vitest'
import { input, text } from '../../browser/support/api.ts'
import { api, openSignedIn } from '../support/stage.ts'

/** In WebKit, the lock of a page that was left may take 150 page loads to show. The nightly run has as many. */
const LOADS = Number(process.env.PAGE_LOADS ?? 20)
/** How long a page may take to show what this browser has kept. */
const FIRST_CARDS_MS = 2_000

const readNote = () =>
  document.querySelector<HTMLInputElement>('#app:not([inert]) .block-input input')?.value ?? null

export function draftRules(): void {
  test(`drafts of two channels survive ${LOADS} page loads, and each page shows its cards at once`, async () => {
    const channels = await Promise.all(['One', 'Two'].map(channelWithNote))
    const typed = channels.map(() => '')
    const page = await openSignedIn()
    const slow: string[] = []
    for (let load = 0; load < LOADS; load++) {
      const which = load % channels.length
      const began = Date.now()
      await page.goto(`/c/${channels[which]}`)
      await page.becomes(typed[which], readNote)
      const ms = Date.now() - began
      if (load > 0 && ms > FIRST_CARDS_MS) slow.push(`load ${load}: ${ms} ms`)
      const letter = String.fromCharCode('a'.charCodeAt(0) + (load % 26))
      await page.click('textbox', 'Note')
      await page.press('End')
      await page.type(letter)
      typed[which] += letter
      // Some pages are left at once, others after what was typed is saved.
      if (load % 3 === 0) await page.link('live')
      if (load % 5 === 4) await page.reload()
    }
    expect(slow).toEqual([])
  })
}

async function channelWithNote(name: string): Promise<string> {
  const { id } = await api.createChannel(name)
  await api.push(id, [text(`A card of ${name}`), input('note', 'Note')])
  return id
}
