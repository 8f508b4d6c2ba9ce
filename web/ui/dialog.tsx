// The button that opens a dialog with a form, and the confirmation before something is deleted.
import { useBeforeLeave, useSearchParams } from '@solidjs/router'
import { createEffect, createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { isEdited } from '../lib/form-values.ts'
import { Button, SmallButton } from './button.tsx'
import { createForm, Form, FormField } from './form.tsx'
import { Modal } from './modal.tsx'
import './dialog.css'

type FormDialogProps = {
  open: JSX.Element
  button: string
  /** Names the button if its text isn't unique on the page. */
  label?: string
  title: string
  about?: JSX.Element
  alert?: boolean
  /** The query parameter `?new=name` also opens the dialog. */
  name?: string
  children: (close: () => void) => JSX.Element
}

export function FormDialog(props: FormDialogProps): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const [search, setSearch] = useSearchParams()
  let button: HTMLButtonElement | undefined

  createEffect(() => {
    if (props.name === undefined || search.new !== props.name) return
    setSearch({ new: undefined }, { replace: true })
    setOpen(true)
  })

  function onClose(): void {
    setOpen(false)
    // If the address opened the dialog, the browser has no element to return the focus to.
    if (document.activeElement === document.body) button?.focus()
  }

  return (
    <>
      <button
        type="button"
        class={props.button}
        ref={button}
        aria-label={props.label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {props.open}
      </button>
      <Show when={open()}>
        <FormModal {...props} onClose={onClose} />
      </Show>
    </>
  )
}

function FormModal(props: FormDialogProps & { onClose: () => void }): JSX.Element {
  const id = createUniqueId()
  const [leaving, setLeaving] = createSignal(false)
  let dialog: HTMLDialogElement | undefined

  /** With edits, the first try to close asks and the second one closes. */
  function mayClose(): boolean {
    const form = dialog?.querySelector('form')
    if (props.alert || leaving() || !form || !isEdited(form)) return true
    setLeaving(true)
    return false
  }

  useBeforeLeave(event => {
    if (!event.defaultPrevented && !mayClose()) event.preventDefault()
  })

  return (
    <Modal
      class="dialog stack"
      labelledBy={`${id}-title`}
      describedBy={props.about ? `${id}-about` : undefined}
      alert={props.alert}
      mayClose={mayClose}
      onClose={() => props.onClose()}
      ref={element => {
        dialog = element
      }}
    >
      {close => (
        <>
          <h2 class="dialog-title" id={`${id}-title`}>
            {props.title}
          </h2>
          <Show when={props.about}>
            <p class="dialog-about" id={`${id}-about`}>
              {props.about}
            </p>
          </Show>
          {props.children(close)}
          <Show when={leaving()}>
            <div class="dialog-leaving line" role="alert">
              <span>Discard what you entered?</span>
              <SmallButton
                onClick={() => {
                  setLeaving(false)
                  dialog?.querySelector('input')?.focus()
                }}
              >
                Keep editing
              </SmallButton>
              <Button class="button button-danger-solid button-small" onClick={close}>
                Discard
              </Button>
            </div>
          </Show>
        </>
      )}
    </Modal>
  )
}

type ConfirmProps = Pick<FormDialogProps, 'open' | 'label' | 'title' | 'about'> & {
  button?: string
  /** The name that people type to confirm. */
  typed?: string
  confirm: string
  busy: string
  onConfirm: () => Promise<void>
}

export function ConfirmDialog(props: ConfirmProps): JSX.Element {
  return (
    <FormDialog {...props} button={props.button ?? 'button button-danger'} alert>
      {close => <ConfirmForm {...props} close={close} />}
    </FormDialog>
  )
}

function ConfirmForm(props: ConfirmProps & { close: () => void }): JSX.Element {
  const [typed, setTyped] = createSignal('')
  const form = createForm(async () => {
    await props.onConfirm()
    props.close()
  }, null)
  const ready = () => props.typed === undefined || visibleText(typed()) === visibleText(props.typed)
  return (
    <div onInput={({ target }) => target instanceof HTMLInputElement && setTyped(target.value)}>
      <Form
        form={form}
        submit={props.confirm}
        busy={props.busy}
        look="danger-solid"
        disabled={!ready()}
        aside={<Cancel close={props.close} first={props.typed === undefined} />}
      >
        <Show when={props.typed}>
          {typed => <FormField form={form} name="confirmation" label={`Type “${typed()}” to confirm`} />}
        </Show>
      </Form>
    </div>
  )
}

/** Removes invisible characters, and encodes each character in one way. */
function visibleText(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Empty if there is nothing to close. */
export function Cancel(props: { close: (() => void) | undefined; first?: boolean }): JSX.Element {
  return (
    <Show when={props.close}>
      {close => (
        <Button autofocus={props.first} onClick={() => close()()}>
          Cancel
        </Button>
      )}
    </Show>
  )
}
