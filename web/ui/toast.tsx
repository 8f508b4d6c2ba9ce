// Says what was done, for some seconds, in a corner of the window: on whatever page one is by then. What can be undone
// has a button for it. Only the dashboard loads this.
import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { render } from 'solid-js/web'
import { focusMain } from './arrival.tsx'
import '../styles/toast.css'

export type Toast = {
  words: string
  /** Takes back what was done; resolves with null, or with why it cannot. */
  undo?: () => Promise<string | null>
}

type Shown = Toast & { id: number }

const SAID_MS = 6_000
/** Time enough to see what one has lost. */
const UNDO_MS = 10_000
/** More than these are fewer by the oldest of those that only say something. */
const TOASTS_MAX = 3

const [shown, setShown] = createSignal<Shown[]>([])
let made = 0
let placed = false
/** What had the focus before a toast. */
let before: EventTarget | null = null

export function showToast(toast: Toast): void {
  if (!placed) {
    placed = true
    render(() => <Toasts />, document.body.appendChild(document.createElement('div')))
  }
  setShown(before => {
    const surplus = before.filter(({ undo }) => !undo).slice(0, Math.max(0, before.length + 1 - TOASTS_MAX))
    return [...before.filter(older => !surplus.includes(older)), { ...toast, id: ++made }]
  })
}

function goBack(): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus()
  else focusMain()
}

function drop(id: number): void {
  setShown(before => before.filter(toast => toast.id !== id))
}

function Toasts(): JSX.Element {
  let list: HTMLOListElement | undefined
  // So that the keyboard reaches it from anywhere: it stands at the end of the document.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'F8' || shown().length === 0) return
    event.preventDefault()
    list?.querySelector<HTMLElement>('li:last-child button')?.focus()
  }
  function onFocusIn({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && list?.contains(relatedTarget))) before = relatedTarget
  }
  document.addEventListener('keydown', onKeyDown)
  return (
    <section class="toasts" aria-label="Notifications (F8)">
      <ol aria-live="polite" aria-relevant="additions text" ref={list} onFocusIn={onFocusIn}>
        <For each={shown()}>{toast => <ToastItem toast={toast} />}</For>
      </ol>
    </section>
  )
}

function ToastItem(props: { toast: Shown }): JSX.Element {
  const [words, setWords] = createSignal(props.toast.words)
  const [undo, setUndo] = createSignal(props.toast.undo)
  const [busy, setBusy] = createSignal(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  let item: HTMLLIElement | undefined
  const hold = () => clearTimeout(timer)
  function count(): void {
    hold()
    // How it ends is told.
    if (busy()) return
    timer = setTimeout(drop, undo() ? UNDO_MS : SAID_MS, props.toast.id)
  }

  async function takeBack(undo: () => Promise<string | null>): Promise<void> {
    if (busy()) return
    hold()
    setBusy(true)
    const reason = await undo()
    setBusy(false)
    if (reason === null) leave(() => setUndo(undefined))
    setWords(reason === null ? 'Undone' : `Not undone: ${reason}`)
    count()
  }

  /** Takes a button away, and the focus that it has back to where it came from. */
  function leave(takeAway: () => void): void {
    const focused = item?.contains(document.activeElement)
    takeAway()
    if (focused) goBack()
  }

  onMount(count)
  onCleanup(hold)
  return (
    <li class="toast" ref={item} onMouseEnter={hold} onMouseLeave={count} onFocusIn={hold} onFocusOut={count}>
      <span class="toast-words">{words()}</span>
      <Show when={undo()}>
        {undo => (
          <button type="button" class="toast-undo" aria-disabled={busy()} onClick={() => takeBack(undo())}>
            {busy() ? 'Undoing…' : 'Undo'}
          </button>
        )}
      </Show>
      <ToastClose onClick={() => leave(() => drop(props.toast.id))} />
    </li>
  )
}

export function ToastClose(props: { onClick: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="toast-close"
      aria-label="Dismiss"
      title="Dismiss"
      onClick={() => props.onClick()}
    >
      <svg
        viewBox="0 0 16 16"
        width="14"
        height="14"
        stroke="currentColor"
        stroke-width="1.5"
        aria-hidden="true"
      >
        <path d="m4 4 8 8M12 4l-8 8" />
      </svg>
    </button>
  )
}
