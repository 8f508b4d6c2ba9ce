// Saves the page when it is left, so that start.js can show it at once on the next visit.
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { isWritingStopped } from '../data/local-copy/database.ts'
import { savePage } from '../data/local-copy/top-cards.ts'
import { listen } from '../lib/listen.ts'

/** Of no use in another visit: what is open above the page, and what was being said. */
const PASSING = 'dialog, [popover], [role="status"], [role="alert"], [aria-live]'

/** Only a channel's own page with the newest cards and no filter is saved, because most visits begin with it. */
export function createLastPage(feed: ChannelFeed): void {
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
  const copies = [...copy.querySelectorAll('.feed-item')]
  // Cards below the screen would only delay the others.
  for (const [i, item] of app.querySelectorAll('.feed-item').entries())
    if (item.getBoundingClientRect().top > innerHeight) copies[i]?.remove()
  for (const element of copy.querySelectorAll(PASSING)) element.remove()
  return copy.innerHTML
}

/** What is typed or chosen is in properties, and HTML has only attributes. */
function keepValues(app: HTMLElement, copy: HTMLElement): void {
  const fields = 'input, option, textarea'
  const copies = [...copy.querySelectorAll(fields)]
  for (const [i, field] of app.querySelectorAll(fields).entries()) {
    if (field instanceof HTMLOptionElement) copies[i]?.toggleAttribute('selected', field.selected)
    else if (field instanceof HTMLTextAreaElement) copies[i]?.replaceChildren(field.value)
    else if (field instanceof HTMLInputElement) {
      copies[i]?.toggleAttribute('checked', field.checked)
      if (field.type !== 'password') copies[i]?.setAttribute('value', field.value)
    }
  }
}
