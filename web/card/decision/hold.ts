// Keeps the buttons of a question in their place after it has ended, while the pointer or the keyboard's focus is on them.
// Then the receipt replaces them, and takes the focus that they had.
import { type Accessor, createComputed, createEffect, createSignal, on, untrack } from 'solid-js'

export function createHold(ended: Accessor<boolean>, receipt: () => HTMLElement | undefined) {
  const [pointed, setPointed] = createSignal(false)
  const [focused, setFocused] = createSignal(false)
  const [shown, setShown] = createSignal(!untrack(ended))
  /** What the receipt replaces: it has the same height. */
  const [height, setHeight] = createSignal<number>()
  let buttons: HTMLElement | undefined
  let movesFocus = false

  createComputed(() => {
    const next = !ended() || (untrack(shown) && (pointed() || focused()))
    if (untrack(shown) && !next) {
      movesFocus ||= buttons?.contains(document.activeElement) ?? false
      setHeight(buttons?.querySelector<HTMLElement>('.decision-buttons')?.offsetHeight)
    }
    setShown(next)
  })
  createEffect(
    on(shown, isShown => {
      if (isShown) setFocused(false)
      else if (movesFocus) receipt()?.focus({ preventScroll: true })
      movesFocus = false
    }),
  )

  function onFocusIn({ target }: FocusEvent): void {
    setFocused(target instanceof Element && target.matches(':focus-visible'))
  }

  function onFocusOut({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && buttons?.contains(relatedTarget))) setFocused(false)
  }

  /** Tab goes from the ended buttons to their receipt. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Tab') return void setFocused(buttons?.contains(document.activeElement) ?? false)
    if (event.shiftKey || !ended()) return
    event.preventDefault()
    movesFocus = true
    setPointed(false)
    setFocused(false)
  }

  return {
    shown,
    height,
    listeners: {
      ref: (element: HTMLElement) => (buttons = element),
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onPointerCancel: () => setPointed(false),
      onFocusIn,
      onFocusOut,
      onKeyDown,
    },
  }
}
