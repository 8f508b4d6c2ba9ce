// When one page gives way to another: says its title, as a browser does for a page that is loaded, and takes the focus
// to it where it was left with nothing.
import { useLocation } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onCleanup } from 'solid-js'
import { pageTitle } from './document-title.ts'

/** The new page is drawn, and has taken the focus where it wants to. */
const SETTLED_MS = 150

export function Arrival(): JSX.Element {
  const location = useLocation()
  const [words, setWords] = createSignal('')
  let waiting = false
  let said: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  createEffect(on(() => location.pathname, arrive, { defer: true }))
  createEffect(on(pageTitle, tell, { defer: true }))
  onCleanup(() => clearTimeout(timer))

  function arrive(): void {
    setWords('')
    waiting = true
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (document.activeElement === document.body || document.activeElement === null) focusMain()
      // A page that puts the focus on its heading has it said by that.
      said = document.activeElement?.matches('h1') ? document.activeElement.textContent : null
      tell()
    }, SETTLED_MS)
  }

  /** Once: a channel's name may come after the page, and change later. */
  function tell(): void {
    const title = pageTitle()
    if (!waiting || title === undefined) return
    waiting = false
    if (said?.trim() !== title) setWords(title)
  }

  return (
    <div class="sr-only" role="status" aria-live="polite" data-arrived="">
      {words()}
    </div>
  )
}

/** Past the bar, to what the page is about. */
export function focusMain(): void {
  const main = document.querySelector<HTMLElement>('main, [role="main"]')
  if (!main) return
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1
  main.focus({ preventScroll: true })
}
