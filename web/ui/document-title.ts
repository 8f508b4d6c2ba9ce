// The title of the browser tab. It is reset when the page that set it closes.
import { createEffect, createRoot, createSignal, onCleanup } from 'solid-js'
import { shortCount } from '../lib/unread.ts'

const APP = 'Channel Feed'

const [pageTitle, setPageTitle] = createRoot(() => createSignal<string>())

/** Undefined until the page knows its title. */
export { pageTitle }

export function createDocumentTitle(title: () => string | undefined, unread: () => number = () => 0): void {
  createEffect(() => setTitle(title(), unread()))
  onCleanup(() => setTitle(undefined, 0))
}

function setTitle(title: string | undefined, unread: number): void {
  const count = unread > 0 ? `(${shortCount(unread)}) ` : ''
  // Characters that change the direction of writing would also affect the text after the name.
  const name = title?.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
  document.title = count + (name ? `${name} · ${APP}` : APP)
  setPageTitle(title)
}
