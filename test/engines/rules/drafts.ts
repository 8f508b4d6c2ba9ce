// Drafts and the local copy across page loads.
import { expect, test } from 'vitest'
import { input, text } from '../../browser/support/api.ts'
import type { EngineWindow } from '../support/engine-window.ts'
import { api, openSignedIn } from '../support/stage.ts'

/** How long a page may take to show what this browser has kept. */
const FIRST_CARDS_MS = 2_000

const noteOf = (page: EngineWindow) =>
  page.js(() => document.querySelector<HTMLInputElement>('#app:not([inert]) .block-input input')?.value)

export function draftRules(): void {
  test('what was typed into two channels is there after page loads, and pages show their cards at once', async () => {
    const [one, two] = await Promise.all(['One', 'Two'].map(channelWithNote))
    const page = await openSignedIn()
    const visit = async (channel = '') => {
      const began = Date.now()
      await page.goto(`/c/${channel}`)
      await expect.poll(() => noteOf(page), { interval: 20 }).toBeTypeOf('string')
      return Date.now() - began
    }
    const waits: number[] = []
    waits.push(await visit(one))
    await page.link('live')
    await page.fill('Note', 'typed into one')
    waits.push(await visit(two))
    await page.link('live')
    await page.fill('Note', 'typed into two')
    await page.reload()
    await expect.poll(() => noteOf(page)).toBe('typed into two')
    waits.push(await visit(one))
    await expect.poll(() => noteOf(page)).toBe('typed into one')
    expect(waits.filter(ms => ms > FIRST_CARDS_MS)).toEqual([])
  })
}

async function channelWithNote(name: string): Promise<string> {
  const { id } = await api.createChannel(name)
  await api.push(id, [text(`A card of ${name}`), input('note', 'Note')])
  return id
}
