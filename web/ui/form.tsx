// A form whose fields show their own errors, with one button that waits for the server.
import { createSignal, createUniqueId, type JSX, onCleanup, Show } from 'solid-js'
import { ChannelFeedError, ConnectionError, RateLimitError, ServerError } from '../../client/errors.ts'
import { bindDefault, bindDefaultChoice } from '../lib/default-value.ts'
import { errorText, isSessionEnd } from '../lib/error-text.ts'
import type { Control } from '../lib/form-values.ts'
import { IconButton } from './button.tsx'
import { IconEye, IconWarning } from './icons.tsx'
import './field.css'
import './form.css'

export type FormState = ReturnType<typeof createForm>
/** A control, or several that have one value. */
type Valued = Pick<Control, 'value' | 'focus'>
/** An error whose `field` is null appears above the button. */
type FormError = { field: string | null; message: string }

type Values = Record<string, string>

/**
 * `send` gets the values by field name. The server's error appears at the field that it names, or else at `mainField`.
 * `validate` throws the error that the server would return.
 */
export function createForm(
  send: (values: Values) => Promise<void>,
  mainField: string | null,
  validate?: (values: Values) => void,
) {
  const [busy, setBusy] = createSignal(false)
  const [error, setError] = createSignal<FormError>()
  const fields = new Map<string, { control: Valued; label: string }>()
  let sent: Values = {}
  let sentFrom: Element | null = null

  /** Resolves to whether the server accepted the values. `from`: the focus when the person sent them. */
  async function submit(from = document.activeElement): Promise<boolean> {
    if (busy()) return false
    setBusy(true)
    sent = start(from)
    try {
      await send(sent)
      return true
    } catch (failure) {
      show(failure)
      return false
    } finally {
      setBusy(false)
    }
  }

  /** Sends nothing. Returns whether the values are valid. */
  function check(): boolean {
    const values = start(document.activeElement)
    try {
      validate?.(values)
      return true
    } catch (failure) {
      show(failure)
      return false
    }
  }

  function start(from: Element | null): Values {
    setError(undefined)
    sentFrom = from
    return Object.fromEntries([...fields].map(([name, { control }]) => [name, control.value]))
  }

  /** Throws anything but a failed request: a bug must not look like one. */
  function show(failure: unknown): void {
    const error = toError(failure)
    if (!error) throw failure
    setError(error)
    if (error.field !== null) focusIfStill(fields.get(error.field)?.control)
  }

  /** Moves the focus unless the user has moved it since the form was sent. */
  function focusIfStill(element: Pick<HTMLElement, 'focus'> | null | undefined): void {
    if ([sentFrom, document.body].includes(document.activeElement)) element?.focus()
  }

  function toError(failure: unknown): FormError | undefined {
    if (failure instanceof ConnectionError) return { field: null, message: failure.message }
    if (!(failure instanceof ChannelFeedError)) return undefined
    const { field: name = '' } = failure
    // The server uses API names; people know the labels.
    const field = fields.get(name)
    if (field) return { field: name, message: errorText(failure, field.label) }
    const concernsNoField =
      failure instanceof RateLimitError || failure instanceof ServerError || isSessionEnd(failure)
    return { field: concernsNoField ? null : mainField, message: errorText(failure) }
  }

  return {
    busy,
    submit,
    check,
    isSent: (control: Control) =>
      fields.get(control.name)?.control === control && sent[control.name] === control.value,
    errorOf: (field: string | null) => (error()?.field === field ? error()?.message : undefined),
    clear(): void {
      setError(undefined)
    },
    register: (name: string, label: string, control: Valued) => fields.set(name, { control, label }),
    unregister: (name: string) => fields.delete(name),
  }
}

export function Form(props: {
  form: FormState
  submit: string
  busy: string
  children?: JSX.Element
  aside?: JSX.Element
  look?: 'primary' | 'secondary' | 'danger-solid'
  disabled?: boolean
}): JSX.Element {
  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    // In the component tree, a dialog's form may be inside a form of the page.
    event.stopPropagation()
    if (!props.disabled) props.form.submit()
  }
  return (
    <form class="form stack" onSubmit={onSubmit} novalidate>
      {props.children}
      <Show when={props.form.errorOf(null)}>
        {message => (
          <p class="form-error" role="alert">
            <IconWarning />
            {message()}
          </p>
        )}
      </Show>
      <div class="form-end line">
        <button
          type="submit"
          class={`button button-${props.look ?? 'primary'}`}
          disabled={props.disabled}
          aria-disabled={props.form.busy()}
        >
          {props.form.busy() ? props.busy : props.submit}
        </button>
        {props.aside}
      </div>
    </form>
  )
}

type ControlProps = {
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
  /** The server's value: the control shows it until the user changes the control. */
  value?: string
  options?: unknown
}

export function Field(props: FieldProps & { children: (control: ControlProps) => JSX.Element }): JSX.Element {
  const id = createUniqueId()
  const error = () => props.form.errorOf(props.name)
  onCleanup(() => props.form.unregister(props.name))
  const control: ControlProps = {
    id,
    get name() {
      return props.name
    },
    ref: element => {
      props.form.register(props.name, props.label, element)
      const value = () => props.value ?? ''
      if (element instanceof HTMLSelectElement) bindDefaultChoice(element, value, () => props.options)
      else bindDefault(element, value)
    },
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
        <Show when={error()} fallback={props.hint}>
          <IconWarning />
          {error()}
        </Show>
      </p>
    </div>
  )
}

export function FormField(
  props: FieldProps & {
    type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local'
    autocomplete?: string
    optional?: boolean
  },
): JSX.Element {
  return (
    <Field {...props}>
      {control => {
        const [shown, setShown] = createSignal(false)
        const input = (
          <input
            {...control}
            type={shown() ? 'text' : (props.type ?? 'text')}
            autocomplete={props.autocomplete ?? 'off'}
            spellcheck={props.type === 'password' ? false : undefined}
            required={!props.optional}
          />
        )
        if (props.type !== 'password') return input
        return (
          <span class="peek">
            {input}
            <IconButton
              aria-label="Show characters"
              title="Show characters"
              aria-pressed={shown()}
              onClick={() => setShown(!shown())}
            >
              <IconEye />
            </IconButton>
          </span>
        )
      }}
    </Field>
  )
}
