// Saves the page when it is left, so that start.js can show it at once on the next visit.
import type { PageFeed } from '../data/channel/page-feed.ts'
import { isWritingStopped } from '../data/local-copy/database.ts'
import { savePage } from '../data/local-copy/top-cards.ts'
import { listen } from '../lib/listen.ts'

/** Not kept: what was open above the page, and messages. */
const PASSING = 'dialog, [popover], [role="status"], [role="alert"], [aria-live]'

/** Saves only a channel's own page, at its newest cards and without a filter: most visits begin there. */
export function createLastPage(feed: PageFeed): void {
  listen(document, 'visibilitychange', () => document.visibilityState === 'hidden' && save())
  listen(window, 'pagehide', save)

  function save(): void {
    const { pathname, search, hash } = location
    const isBeginning = pathname + search + hash === `/c/${feed.id}` && !feed.scrolled()
    if (isBeginning && feed.drawn() && feed.ids().length > 0 && !isWritingStopped())
      savePage(feed.id, htmlOfPage())
  }
}

function htmlOfPage(): string {
  const app = document.getElementById('app')
  const copy = app?.cloneNode(true)
  if (!app || !(copy instanceof HTMLElement)) return ''
  keepValues(app, copy)
  const items = [...copy.querySelectorAll('.feed-item')]
  // Cards below the screen would only delay the others.
  for (const [i, item] of app.querySelectorAll('.feed-item').entries())
    if (item.getBoundingClientRect().top > innerHeight) items[i]?.remove()
  for (const element of copy.querySelectorAll(PASSING)) element.remove()
  return copy.innerHTML
}

/** What is typed or chosen is in properties, and HTML has only attributes. Nothing can be typed before the app is there. */
function keepValues(app: HTMLElement, copy: HTMLElement): void {
  const fields = 'input, option, textarea'
  const copies = [...copy.querySelectorAll(fields)]
  for (const [i, field] of app.querySelectorAll(fields).entries()) {
    const kept = copies[i]
    if (field instanceof HTMLOptionElement) kept?.toggleAttribute('selected', field.selected)
    else kept?.toggleAttribute('readonly', true)
    if (field instanceof HTMLInputElement) kept?.toggleAttribute('checked', field.checked)
    if (field instanceof HTMLInputElement) kept?.setAttribute('value', savableText(field))
    if (field instanceof HTMLTextAreaElement) kept?.replaceChildren(savableText(field))
  }
}

/** Only a field whose draft may be saved has `data-kept`: secrets stay in memory. */
const savableText = (field: HTMLInputElement | HTMLTextAreaElement) =>
  field.dataset.kept === undefined ? '' : field.value
