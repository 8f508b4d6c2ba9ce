// Every dialog is built on the browser's <dialog>, which makes the page behind it inert and returns the focus on closing.
import { type JSX, onCleanup, onMount } from 'solid-js'
import { Portal } from 'solid-js/web'
import { onKey } from '../lib/on-key.ts'
import './modal.css'

type ModalProps = {
  class: string
  /** The dialog's name, or else `labelledBy`: the id of the element that names it. */
  label?: string
  labelledBy?: string
  describedBy?: string
  alert?: boolean
  /** Called before Escape or a press beside the box closes the dialog. */
  mayClose?: () => boolean
  onClose: () => void
  ref?: (dialog: HTMLDialogElement) => void
  children: (close: () => void) => JSX.Element
}

/** The portal keeps a form in the dialog from being nested in a form of the page. */
export function Modal(props: ModalProps): JSX.Element {
  return (
    <Portal>
      <Box {...props} />
    </Portal>
  )
}

function Box(props: ModalProps): JSX.Element {
  let dialog: HTMLDialogElement | undefined
  let closed = false

  onMount(() => {
    // The stylesheet hides the page's scrollbar. Without this padding the page would move.
    const scrollbar = window.innerWidth - document.documentElement.clientWidth
    document.body.style.paddingRight = `${scrollbar}px`
    dialog?.showModal()
  })
  onCleanup(() => {
    closed = true
    document.body.style.paddingRight = ''
  })

  /** Doesn't wait for the browser's `close` event: it comes too late for a key pressed meanwhile. */
  function close(): void {
    if (closed) return
    closed = true
    dialog?.close()
    props.onClose()
  }

  function dismiss(event: Event): void {
    if (props.mayClose?.() ?? true) close()
    else event.preventDefault()
  }

  /** The dialog fills the window, so a press whose target is the dialog is beside the box or on the scrollbar. */
  function onPointerDown(event: PointerEvent): void {
    if (dialog && event.target === dialog && event.clientX < dialog.clientWidth) dismiss(event)
  }

  /** Keeps Tab inside; by default it leads from the last control to those of the browser. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Tab' || !dialog) return
    const controls = [...dialog.querySelectorAll<HTMLElement>(CONTROLS)].filter(canFocus)
    const [end, start] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]]
    if (document.activeElement !== end) return
    event.preventDefault()
    start?.focus()
  }

  return (
    <dialog
      class="modal"
      ref={element => {
        dialog = element
        props.ref?.(element)
      }}
      role={props.alert ? 'alertdialog' : 'dialog'}
      aria-label={props.label}
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
      onCancel={dismiss}
      onClose={close}
      onKeyDown={onKey(onKeyDown)}
      onPointerDown={onPointerDown}
    >
      <div class={`modal-box box ${props.class}`}>{props.children(close)}</div>
    </dialog>
  )
}

const CONTROLS = 'a[href], :is(button, input, select, textarea):enabled, [tabindex]'
const canFocus = (control: HTMLElement) =>
  control.tabIndex >= 0 && control.getClientRects().length > 0 && !control.closest('[inert]')
