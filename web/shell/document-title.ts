// The title of the tab. Nothing in it is kept after the page that set it is gone.
import { createEffect, createRoot, createSignal, onCleanup } from 'solid-js'

const APP = 'Channel Feed'

const [pageTitle, setPageTitle] = createRoot(() => createSignal<string>())

/** What the page on the screen is called; undefined while that is not known. */
export { pageTitle }

export function createDocumentTitle(title: () => string | undefined): void {
  createEffect(() => show(title()))
  onCleanup(() => show(undefined))
}

function show(words: string | undefined): void {
  // A name that turns the direction of writing would turn what follows it as well.
  document.title = words ? `${words.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')} · ${APP}` : APP
  setPageTitle(words)
}
