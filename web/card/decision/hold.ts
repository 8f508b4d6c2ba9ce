// Keeps the buttons of a question in their place after it has ended, while the pointer or the keyboard's focus is on them
// or a dialog asks to confirm one. Then the receipt replaces them, and takes the focus that they had.
import { type Accessor, createComputed, createEffect, createSignal, on, untrack } from 'solid-js'
import { onKey } from '../../lib/on-key.ts'
import { afterPointerUp } from '../after-pointer-up.ts'

type Held = {
  ended: Accessor<boolean>
  /** A dialog asks to confirm a press. It returns the focus to the button when it closes. */
  confirming: Accessor<boolean>
  receipt: () => HTMLElement | undefined
}

export function createHold({ ended, confirming, receipt }: Held) {
  const [pointed, setPointed] = createSignal(false)
  const [focused, setFocused] = createSignal(false)
  const [shown, setShown] = createSignal(!untrack(ended))
  /** What the receipt replaces: it has the same height. */
  const [height, setHeight] = createSignal<number>()
  let buttons: HTMLElement | undefined
  let movesFocus = false
  const isInside = (target: EventTarget | null) => target instanceof Node && !!buttons?.contains(target)

  createComputed(() => {
    const next = !ended() || (untrack(shown) && (pointed() || focused() || confirming()))
    if (untrack(shown) && !next) {
      movesFocus ||= isInside(document.activeElement)
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

  /**
   * The focus that a click leaves behind doesn't hold the buttons. They would stay until the next click, and the page would
   * move under the pointer of a person who clicks through several questions.
   */
  function onFocusIn({ target }: FocusEvent): void {
    setFocused(target instanceof Element && target.matches(':focus-visible'))
  }

  function onFocusOut({ target, relatedTarget }: FocusEvent): void {
    // If the person goes to another window, the focus stays where it is.
    if (target === document.activeElement || isInside(relatedTarget)) return
    afterPointerUp(() => setFocused(isInside(document.activeElement)))
  }

  /** Tab goes from the ended buttons to their receipt. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Tab') return void setFocused(isInside(document.activeElement))
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
      onKeyDown: onKey(onKeyDown),
    },
  }
}
