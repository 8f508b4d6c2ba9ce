// Announces the title of a new page to screen readers, and moves the focus to the page if nothing has it.
import { useLocation } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onCleanup } from 'solid-js'
import { pageTitle } from './document-title.ts'

/** Until then, the new page is drawn and may take the focus itself. */
const SETTLED_MS = 150

export function PageAnnouncement(): JSX.Element {
  const location = useLocation()
  const [announced, setAnnounced] = createSignal('')
  let waiting = false
  let focusedHeading: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  createEffect(on(() => location.pathname, arrive, { defer: true }))
  createEffect(on(pageTitle, announce, { defer: true }))
  onCleanup(() => clearTimeout(timer))

  function arrive(): void {
    setAnnounced('')
    waiting = true
    clearTimeout(timer)
    timer = setTimeout(() => {
      const focused = document.activeElement
      if (focused === document.body || focused === null) focusMain()
      // Screen readers read a heading that gets the focus.
      focusedHeading = document.activeElement?.matches('h1') ? document.activeElement.textContent : null
      announce()
    }, SETTLED_MS)
  }

  /** Announces once per page: the title may come late and change later. */
  function announce(): void {
    const title = pageTitle()
    if (!waiting || title === undefined) return
    waiting = false
    if (focusedHeading?.trim() !== title) setAnnounced(title)
  }

  return (
    <div class="sr-only" role="status" aria-live="polite" data-arrived="">
      {announced()}
    </div>
  )
}

export function focusMain(): void {
  const main = document.querySelector<HTMLElement>('main, [role="main"]')
  if (!main) return
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1
  main.focus({ preventScroll: true })
}
