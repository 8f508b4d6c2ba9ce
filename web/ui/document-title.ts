// The title of the tab. Nothing in it is kept after the page that set it is gone.
import { createEffect, createRoot, createSignal, onCleanup } from 'solid-js'
import { shortCount } from '../lib/unread.ts'

const APP = 'Channel Feed'

const [pageTitle, setPageTitle] = createRoot(() => createSignal<string>())

/** What the page on the screen is called; undefined while that is not known. */
export { pageTitle }

/** `unread`: so many cards wait to be seen, `(3) Deploys`. */
export function createDocumentTitle(title: () => string | undefined, unread: () => number = () => 0): void {
  createEffect(() => show(title(), unread()))
  onCleanup(() => show(undefined, 0))
}

function show(words: string | undefined, unread: number): void {
  const count = unread > 0 ? `(${shortCount(unread)}) ` : ''
  // A name that turns the direction of writing would turn what follows it as well.
  const name = words?.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
  document.title = count + (name ? `${name} · ${APP}` : APP)
  setPageTitle(words)
}
