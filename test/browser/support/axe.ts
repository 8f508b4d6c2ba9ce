// What axe-core finds on a page, as one reads it: the rule, the element, and what is wrong with it.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe: typeof axe
  }
}

const RULES = {
  all: { rules: { 'target-size': { enabled: true }, 'color-contrast': { enabled: true } } },
  colours: { runOnly: ['color-contrast'] },
  /** What a narrow page may do differently. */
  narrow: {
    runOnly: [
      'target-size',
      'aria-hidden-focus',
      'button-name',
      'link-name',
      'label',
      'region',
      'scrollable-region-focusable',
    ],
  },
}

/** `rules`: colours take most of the time. */
export async function findings(page: Page, rules: keyof typeof RULES = 'all'): Promise<string[]> {
  // Not a script of the page's, so its policy has no say in it.
  await page.evaluate(source)
  // The only frame is empty. With a frame, axe looks for modal dialogs too early, finds none, and judges what is behind one.
  const { violations } = await page.evaluate(options => window.axe.run({ exclude: ['iframe'] }, options), {
    // Without the list of what passes, axe takes two thirds of the time.
    resultTypes: ['violations' as const],
    preload: false,
    ...RULES[rules],
  })
  const popovers = await page
    .locator('[popover]')
    .evaluateAll(all =>
      all.flatMap(one => [...one.querySelectorAll('input, button')].map(({ outerHTML }) => outerHTML)),
    )
  // axe takes what is under a popover for above it.
  const isCovered = (id: string, html: string) =>
    id === 'target-size' && popovers.some(control => control.startsWith(html.slice(0, -1)))
  // It takes a tab panel's name for content that stands outside of the landmarks in the panel.
  const isName = (id: string, html: string) => id === 'region' && /^<[^>]* role="tabpanel"/.test(html)
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes
      .filter(node => !isCovered(id, node.html) && !isName(id, node.html))
      .map(
        node => `${impact} ${id}: ${node.target.join(' ')}: ${node.any[0]?.message ?? node.failureSummary}`,
      ),
  )
}

/** Whether all of the page can be seen without scrolling sideways. */
export function fits(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const inner = [...document.querySelectorAll('main, .bar, .side, .side .tools, dialog, [role="dialog"]')]
    // Pictures of pages cut off what they have no room for.
    const boxes = [document.documentElement, ...inner].filter(box => !box.closest('[inert]'))
    const wide = boxes.filter(box => box.scrollWidth > box.clientWidth + 1)
    return wide.length === 0
  })
}
