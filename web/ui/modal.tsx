// A dialog of the browser's own: the focus stays in it and comes back, Escape and a press beside it close it, and it
// weighs nothing.
import { type JSX, onMount } from 'solid-js'

export type ModalProps = {
  class: string
  label: string
  onClose: () => void
  /** Gets how to close it: at once, with the focus back where it was. */
  children: (close: () => void) => JSX.Element
}

export function Modal(props: ModalProps): JSX.Element {
  let dialog: HTMLDialogElement | undefined
  let closed = false
  onMount(() => dialog?.showModal())

  function close(): void {
    if (closed) return
    closed = true
    dialog?.close()
    props.onClose()
  }

  /** A press on the dialog itself may be one on its padding. */
  function onPointerDown(event: PointerEvent): void {
    if (!dialog || event.target !== dialog) return
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const { clientX: x, clientY: y } = event
    if (x < left || x > right || y < top || y > bottom) close()
  }

  return (
    <dialog
      class={props.class}
      ref={dialog}
      aria-label={props.label}
      onCancel={close}
      onClose={close}
      onPointerDown={onPointerDown}
    >
      {props.children(close)}
    </dialog>
  )
}
