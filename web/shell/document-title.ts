// The title of the tab. Nothing in it is kept after the page that set it is gone.
import { createEffect, onCleanup } from 'solid-js'
import { shortCount } from '../feed/unread.ts'

const APP = 'Channel Feed'

/** `unread`: so many cards wait to be seen, `(3) Deploys`. */
export function createDocumentTitle(title: () => string | undefined, unread: () => number = () => 0): void {
  createEffect(() => {
    const words = title()
    const count = unread()
    document.title = (count > 0 ? `(${shortCount(count)}) ` : '') + (words ? `${words} · ${APP}` : APP)
  })
  onCleanup(() => {
    document.title = APP
  })
}
