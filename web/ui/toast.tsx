// Short notifications at the bottom of the window.
import { createSignal, For, type JSX, onCleanup, onMount } from 'solid-js'
import { render } from 'solid-js/web'
import { listen } from '../lib/listen.ts'
import { onKey } from '../lib/on-key.ts'
import { icon } from './icons.tsx'
import { focusMain } from './page-announcement.tsx'
import './toast.css'

type Toast = { words: string }

const VISIBLE_MS = 6_000
const TOASTS_MAX = 3

const [toasts, setToasts] = createSignal<Toast[]>([])
let mounted = false
let focusedBefore: EventTarget | null = null

export function showToast(toast: Toast): void {
  if (!mounted) {
    mounted = true
    render(() => <Toasts />, document.body.appendChild(document.createElement('div')))
  }
  // Said again, it appears again, once.
  setToasts(before => [...before.filter(({ words }) => words !== toast.words), toast].slice(-TOASTS_MAX))
}

const remove = (toast: Toast) => setToasts(before => before.filter(other => other !== toast))

function Toasts(): JSX.Element {
  let list: HTMLOListElement | undefined
  // The list is at the end of the document; F8 reaches it from anywhere.
  const onKeyDown = onKey(event => {
    if (event.key !== 'F8' || toasts().length === 0) return
    event.preventDefault()
    list?.querySelector<HTMLElement>('li:last-child button')?.focus()
  })
  document.addEventListener('keydown', onKeyDown)
  function onFocusIn({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && list?.contains(relatedTarget))) focusedBefore = relatedTarget
  }
  return (
    <section class="toasts" aria-label="Notifications (F8)">
      <ol aria-live="polite" aria-relevant="additions text" ref={list} onFocusIn={onFocusIn}>
        <For each={toasts()}>{toast => <ToastItem toast={toast} />}</For>
      </ol>
    </section>
  )
}

function ToastItem(props: { toast: Toast }): JSX.Element {
  let timer: ReturnType<typeof setTimeout> | undefined
  let item: HTMLLIElement | undefined

  const stopTimer = () => clearTimeout(timer)
  function startTimer(): void {
    stopTimer()
    timer = setTimeout(remove, VISIBLE_MS, props.toast)
  }

  /** Returns the focus of the removed button to where it came from. */
  function dismiss(): void {
    const hadFocus = item?.contains(document.activeElement)
    remove(props.toast)
    if (!hadFocus) return
    if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected) focusedBefore.focus()
    else focusMain()
  }

  /** On a touched screen a toast covers much, so the next touch elsewhere ends it. */
  function onTouch(event: Event): void {
    const isInside = event.target instanceof Node && item?.contains(event.target)
    if (!isInside && event instanceof PointerEvent && event.pointerType === 'touch') remove(props.toast)
  }

  listen(document, 'pointerdown', onTouch)
  onMount(startTimer)
  onCleanup(stopTimer)
  return (
    <li
      class="toast"
      ref={item}
      onMouseEnter={stopTimer}
      onMouseLeave={startTimer}
      onFocusIn={stopTimer}
      onFocusOut={startTimer}
    >
      <span class="toast-words" dir="auto">
        {props.toast.words}
      </span>
      <ToastClose onClick={dismiss} />
    </li>
  )
}

const IconClose = icon('m4.5 4.5 7 7M11.5 4.5l-7 7')

export function ToastClose(props: { onClick: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="toast-close"
      aria-label="Dismiss"
      title="Dismiss"
      onClick={() => props.onClick()}
    >
      <IconClose />
    </button>
  )
}
