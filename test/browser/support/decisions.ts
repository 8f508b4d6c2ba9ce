// Questions on a page: their buttons, outcomes and notes.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A question by its name, the text above it. */
export const questionOn = (page: Page, name: string | RegExp = 'Release 2.5.0') =>
  page.getByRole('group', { name })

export const outcomeOf = (question: Locator) => question.locator('.decision-receipt')

/** The notes about the viewer's own presses. */
export const notesOf = (question: Locator) => question.locator('.decision-note p')

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

/** The latest announcement to screen readers. */
export const announcement = (page: Page, role: 'status' | 'alert') =>
  page.locator(`[data-announced] [role="${role}"]`)
