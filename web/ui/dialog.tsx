// Dialogs: a form above the page, and the question before something is gone for good.
import { Dialog } from '@kobalte/core/dialog'
import { useBeforeLeave, useSearchParams } from '@solidjs/router'
import { createEffect, createSignal, type JSX, Show } from 'solid-js'
import { isEdited } from '../lib/form-values.ts'
import { createForm, Form, FormField } from './form.tsx'

export type FormDialogProps = {
  /** The words on the button that opens it, and how the button looks. */
  open: JSX.Element
  button: string
  /** Where the words are not enough to tell it from others. */
  label?: string
  title: string
  about?: JSX.Element
  alert?: boolean
  /** The address opens it too, with `?new=` and this. */
  name?: string
  /** Made each time it opens. */
  children: (close: () => void) => JSX.Element
}

/**
 * The focus goes into it, stays there, and comes back to the button. Escape and a press beside it close it; where
 * something was entered it asks before.
 */
export function FormDialog(props: FormDialogProps): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const [leaving, setLeaving] = createSignal(false)
  const [search, setSearch] = useSearchParams()
  let content: HTMLDivElement | undefined

  function onOpenChange(wanted: boolean): void {
    const form = content?.querySelector('form')
    // A second Escape means it.
    if (!wanted && form && !props.alert && !leaving() && isEdited(form)) {
      setLeaving(true)
      return
    }
    setLeaving(false)
    setOpen(wanted)
  }

  // So does the browser's way back. A second time means it, too.
  useBeforeLeave(event => {
    const form = content?.querySelector('form')
    if (event.defaultPrevented || !open() || !form || props.alert || leaving() || !isEdited(form)) return
    event.preventDefault()
    setLeaving(true)
  })

  /** Done, or given up on purpose. */
  function close(): void {
    setLeaving(false)
    setOpen(false)
  }

  function stay(): void {
    setLeaving(false)
    content?.querySelector('input')?.focus()
  }

  createEffect(() => {
    if (props.name === undefined || search.new !== props.name) return
    setSearch({ new: undefined }, { replace: true })
    setOpen(true)
  })

  /** Of what cannot be undone, the way back comes first. */
  function onOpenAutoFocus(event: Event): void {
    const back = content?.querySelector('[data-first]')
    if (!(back instanceof HTMLElement)) return
    event.preventDefault()
    back.focus()
  }

  return (
    <Dialog open={open()} onOpenChange={onOpenChange}>
      <Dialog.Trigger class={props.button} aria-label={props.label}>
        {props.open}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay class="dialog-overlay" />
        <div class="dialog-place">
          <Dialog.Content
            class="dialog"
            role={props.alert ? 'alertdialog' : 'dialog'}
            ref={content}
            onOpenAutoFocus={onOpenAutoFocus}
          >
            <Dialog.Title class="dialog-title">{props.title}</Dialog.Title>
            <Show when={props.about}>
              <Dialog.Description class="dialog-about">{props.about}</Dialog.Description>
            </Show>
            {props.children(close)}
            <Show when={leaving()}>
              <div class="dialog-leaving" role="alert">
                <span>Discard what you entered?</span>
                <button type="button" class="button button-secondary button-small" onClick={stay}>
                  Keep editing
                </button>
                <button type="button" class="button button-danger button-small" onClick={close}>
                  Discard
                </button>
              </div>
            </Show>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog>
  )
}

export type ConfirmProps = {
  open: JSX.Element
  button?: string
  label?: string
  title: string
  /** What will be gone. */
  about: JSX.Element
  /** What has to be typed before; nothing where it is not given. */
  typed?: string
  confirm: string
  busy: string
  onConfirm: () => Promise<void>
}

export function ConfirmDialog(props: ConfirmProps): JSX.Element {
  return (
    <FormDialog
      open={props.open}
      button={props.button ?? 'button button-danger'}
      label={props.label}
      title={props.title}
      about={props.about}
      alert
    >
      {close => <ConfirmForm {...props} close={close} />}
    </FormDialog>
  )
}

function ConfirmForm(props: ConfirmProps & { close: () => void }): JSX.Element {
  const [words, setWords] = createSignal('')
  const form = createForm(async () => {
    await props.onConfirm()
    props.close()
  }, null)
  const ready = () => props.typed === undefined || asRead(words()) === asRead(props.typed)
  return (
    <div
      class="confirm"
      onInput={event => setWords(event.target instanceof HTMLInputElement ? event.target.value : '')}
    >
      <Form
        form={form}
        submit={props.confirm}
        busy={props.busy}
        look="danger"
        waiting={!ready()}
        aside={<Cancel close={props.close} first={props.typed === undefined} />}
      >
        <Show when={props.typed}>
          {typed => (
            <FormField
              form={form}
              name="confirmation"
              label={`Type “${typed()}” to confirm`}
              type="text"
              autocomplete="off"
            />
          )}
        </Show>
      </Form>
    </div>
  )
}

/** What of a name can be read, and so typed: no matter which of two ways a sign is made up, nor what is not seen. */
function asRead(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** `first`: it has the focus when the dialog opens. */
export function Cancel(props: { close: () => void; first?: boolean }): JSX.Element {
  return (
    <button
      type="button"
      class="button button-secondary"
      data-first={props.first ? '' : undefined}
      onClick={() => props.close()}
    >
      Cancel
    </button>
  )
}
