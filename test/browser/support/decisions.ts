// Questions on a page: their buttons, outcomes and notes.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { question, text } from './api.ts'
import { api, createChannel, session } from './stage.ts'

export const TITLE = text('Release 2.5.0')

/** A channel with one question. */
export const askIn = (decision: object = {}, fields: object = {}) =>
  createChannel(
    fields,
    TITLE,
    question(decision, 'Approve', { id: 'reject', label: 'Reject', style: 'danger' }),
  )

/** Asks the question of a card again. */
export const reopen = (channel: string, card: string, decision: object = {}) =>
  api.patch(channel, card, {
    blocks: [{ id: 'buttons', patch: { decision: { reopen: true, ...decision } } }],
  })

export async function withdraw(channel: string, card: string): Promise<void> {
  const path = `/channels/${channel}/cards/${card}/decision`
  await api.withdraw(channel, (await session<{ id: string }>('GET', path)).id)
}

/** Decides a question as the owner, from another device. */
export const decideElsewhere = (channel: string, card_id: string, button_id: string) =>
  session('POST', `/channels/${channel}/interactions`, {
    card_id,
    trigger: { type: 'button_click', button_id },
  })

/** A question by its name, the text above it. */
export const questionOn = (page: Page, name: string | RegExp = 'Release 2.5.0') =>
  page.getByRole('group', { name })

export const outcomeOf = (question: Locator) => question.locator('.decision-receipt')

/** The notes about the viewer's own presses. */
export const notesOf = (question: Locator) => question.locator('.note p')

export const choose = (page: Pick<Page, 'getByRole'>, label: string) =>
  page.getByRole('button', { name: label, exact: true }).click()

/** Waits until the question reads so, as screen readers have it: outcome or facts. */
export async function expectDescription(question: Locator, text: string | RegExp): Promise<void> {
  const read = () =>
    question.evaluate(group => {
      const id = group.getAttribute('aria-describedby') ?? ''
      const line = group.ownerDocument.getElementById(id)?.cloneNode(true)
      if (!(line instanceof Element)) return ''
      for (const hidden of line.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
      const parts = line.matches('.decision-receipt') ? [line] : [...line.children]
      return parts.map(part => (part.textContent ?? '').replaceAll(/\s+/g, ' ').trim()).join(' ')
    })
  if (typeof text === 'string') await expect.poll(read).toBe(text)
  else await expect.poll(read).toMatch(text)
}

/** Collects every text that an element shows from now on. */
export async function collect(element: Locator): Promise<() => Promise<string[]>> {
  const texts = await element.evaluateHandle(element => {
    const texts: string[] = []
    const note = () => element.textContent && texts.push(element.textContent)
    new MutationObserver(note).observe(element, { characterData: true, childList: true, subtree: true })
    return texts
  })
  return () => texts.jsonValue()
}

/** The latest announcement to screen readers. */
export const announcement = (page: Page, role: 'status' | 'alert') =>
  page.locator(`[data-announced] [role="${role}"]`)
