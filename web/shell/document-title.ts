// The title of the tab. Nothing in it is kept after the page that set it is gone.
import { createEffect, onCleanup } from 'solid-js'

const APP = 'Channel Feed'

export function createDocumentTitle(title: () => string | undefined): void {
  createEffect(() => {
    const words = title()
    document.title = words ? `${words} · ${APP}` : APP
  })
  onCleanup(() => {
    document.title = APP
  })
}
