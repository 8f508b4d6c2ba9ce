// A small form: fields with their errors beside them, and one button that waits for the server.
import { createSignal, createUniqueId, type JSX, onCleanup, Show } from 'solid-js'
import { ChannelFeedError, ConnectionError, RateLimitError, ServerError } from '../../client/errors.ts'
import { errorText, isSessionEnd } from '../lib/error-text.ts'
import { followValue } from '../lib/follow.ts'
import type { Control } from '../lib/form-values.ts'

export type FormState = ReturnType<typeof createForm>
type FormError = { field: string | null; message: string }

/**
 * `send` gets the fields by name. A refusal is shown at the field that its message names (`name is required`),
 * else at `mainField` (null: none); what concerns no field (429, no connection) above the button.
 */
export function createForm(
  send: (values: Record<string, string>) => Promise<void>,
  mainField: string | null,
) {
  const [busy, setBusy] = createSignal(false)
  const [error, setError] = createSignal<FormError>()
  const [saved, setSaved] = createSignal(false)
  const fields = new Map<string, { control: Control; label: string }>()
  let sent: Record<string, string> = {}
  /** Where the focus was then. */
  let sentFrom: Element | null = null

  async function submit(): Promise<void> {
    if (busy()) return
    setBusy(true)
    setError(undefined)
    setSaved(false)
    sent = Object.fromEntries([...fields].map(([name, { control }]) => [name, control.value]))
    sentFrom = document.activeElement
    try {
      await send(sent)
      setSaved(true)
    } catch (failure) {
      const told = toError(failure)
      if (!told) throw failure
      setError(told)
      if (told.field !== null) focusIfStill(fields.get(told.field)?.control)
    } finally {
      setBusy(false)
    }
  }

  /** Not where the focus has gone elsewhere since the form was sent: something else was begun. */
  function focusIfStill(element: HTMLElement | null | undefined): void {
    if ([sentFrom, document.body].includes(document.activeElement)) element?.focus()
  }

  function toError(failure: unknown): FormError | undefined {
    if (failure instanceof ConnectionError) return { field: null, message: failure.message }
    if (!(failure instanceof ChannelFeedError)) return undefined
    // The server names fields as the API does; here they have the names that one reads.
    const [name = '', ...rule] = failure.message.split(' ')
    const named = fields.get(name)
    if (named) return { field: name, message: `${named.label} ${rule.join(' ')}` }
    const nowhere =
      failure instanceof RateLimitError || failure instanceof ServerError || isSessionEnd(failure)
    return { field: nowhere ? null : mainField, message: errorText(failure) }
  }

  const errorOf = (field: string | null) => {
    const now = error()
    return now?.field === field ? now.message : undefined
  }
  return {
    busy,
    /** Whether what stands in the fields was sent and taken. */
    saved,
    submit,
    /** Whether a control still holds what was last sent of it. */
    isSent: (control: Control) => sent[control.name] === control.value,
    focusIfStill,
    errorOf,
    touch: () => setSaved(false),
    /** Takes back what was said of the last try. */
    clear: () => setError(undefined),
    register: (name: string, label: string, control: Control) => fields.set(name, { control, label }),
    unregister: (name: string) => fields.delete(name),
  }
}

export type FormProps = {
  form: FormState
  submit: string
  busy: string
  children: JSX.Element
  /** What is said beside the button once all is sent and taken. */
  done?: string
  /** What else stands beside the button. */
  aside?: JSX.Element
  /** `danger`: what it does cannot be undone. */
  look?: 'primary' | 'secondary' | 'danger'
  /** Something is still missing before it may be sent. */
  waiting?: boolean
}

export function Form(props: FormProps): JSX.Element {
  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    // Dialogs stand below the page's own forms in the component tree, not in the document.
    event.stopPropagation()
    if (!props.waiting) props.form.submit()
  }
  return (
    <form class="form" onSubmit={onSubmit} onInput={props.form.touch} novalidate>
      {props.children}
      <Show when={props.form.errorOf(null)}>
        {message => (
          <p class="form-error" role="alert">
            {message()}
          </p>
        )}
      </Show>
      <div class="form-end">
        <button
          type="submit"
          class={`button button-${props.look ?? 'primary'}`}
          disabled={props.waiting}
          aria-disabled={props.form.busy()}
        >
          {props.form.busy() ? props.busy : props.submit}
        </button>
        {props.aside}
        <span class="form-done" role="status">
          {props.form.saved() ? props.done : ''}
        </span>
      </div>
    </form>
  )
}

/** What a field's control carries to be named, described, and found by its form. */
export type ControlProps = {
  id: string
  name: string
  ref: (control: Control) => void
  'aria-invalid': 'true' | undefined
  'aria-describedby': string
}

export type FieldProps = {
  form: FormState
  name: string
  label: string
  hint?: JSX.Element
  children: (control: ControlProps) => JSX.Element
}

/** A label, a control, and below it the hint or the error. */
export function Field(props: FieldProps): JSX.Element {
  const id = createUniqueId()
  const error = () => props.form.errorOf(props.name)
  onCleanup(() => props.form.unregister(props.name))
  const control: ControlProps = {
    id,
    get name() {
      return props.name
    },
    ref: element => props.form.register(props.name, props.label, element),
    get 'aria-invalid'() {
      return error() ? ('true' as const) : undefined
    },
    'aria-describedby': `${id}-note`,
  }
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(control)}
      <p class={error() ? 'form-error' : 'hint'} id={`${id}-note`} role={error() ? 'alert' : undefined}>
        {error() ?? props.hint}
      </p>
    </div>
  )
}

export type FormFieldProps = Omit<FieldProps, 'children'> & {
  type: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local'
  autocomplete: string
  /** What the server has. */
  value?: string
  optional?: boolean
}

export function FormField(props: FormFieldProps): JSX.Element {
  return (
    <Field form={props.form} name={props.name} label={props.label} hint={props.hint}>
      {control => (
        <input
          id={control.id}
          name={control.name}
          ref={element => {
            control.ref(element)
            followValue(element, () => props.value ?? '')
          }}
          aria-invalid={control['aria-invalid']}
          aria-describedby={control['aria-describedby']}
          type={props.type}
          autocomplete={props.autocomplete}
          required={!props.optional}
        />
      )}
    </Field>
  )
}
