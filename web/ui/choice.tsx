// Form controls for anything but a line of text: select, text area, radio buttons, switch.
import {
  type Accessor,
  createEffect,
  createRenderEffect,
  createSignal,
  For,
  type JSX,
  on,
  onCleanup,
  Show,
  untrack,
} from 'solid-js'
import { charCount } from '../../shared/characters.ts'
import { bindDefaultChecked } from '../lib/default-value.ts'
import { Field, type FieldProps, type FormState } from './form.tsx'
import { growWith } from './grow-with.ts'
import { IconWarning } from './icons.tsx'
import { Legend } from './legend.tsx'
import './radios.css'

export type Option = { value: string; label: string }
type ExplainedOption = Option & { about: string }

export function SelectField(props: FieldProps & { options: Option[] }): JSX.Element {
  return (
    <Field {...props}>
      {control => (
        <select {...control}>
          <For each={props.options}>{option => <option value={option.value}>{option.label}</option>}</For>
        </select>
      )}
    </Field>
  )
}

/** Its hint ends with how many of `max` characters are used. */
export function TextAreaField(props: FieldProps & { max: number }): JSX.Element {
  const [text, setText] = createSignal('')
  createEffect(
    on(
      () => props.value,
      (saved = '', before = '') => text() === before && setText(saved),
    ),
  )
  const hint = () => (
    <>
      {props.hint} {charCount(text())} of {props.max} characters.
    </>
  )
  return (
    <Field {...props} hint={hint()}>
      {control => (
        <textarea
          {...control}
          ref={area => growWith(area, () => [props.value, text()])}
          onInput={event => setText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A value that people pick, as one field of the form. Until then it follows the saved one. */
export function createPick<Value extends string>(
  form: FormState,
  name: string,
  label: string,
  saved: Accessor<Value>,
) {
  const [picked, setPicked] = createSignal(untrack(saved))
  createEffect(on(saved, (now, before) => picked() === before && setPicked(() => now)))
  form.register(name, label, {
    get value() {
      return picked()
    },
    // No server refuses one of these.
    focus() {},
  })
  onCleanup(() => form.unregister(name))
  return [picked, setPicked] as const
}

/** Radio buttons as one field of the form. */
export function RadioField(props: FieldProps & { value: string; options: ExplainedOption[] }): JSX.Element {
  const [picked, setPicked] = createPick(props.form, props.name, props.label, () => props.value)
  return (
    <Radios
      legend={props.label}
      name={props.name}
      value={picked()}
      saved={props.value}
      options={props.options}
      onPick={setPicked}
      inRow
    />
  )
}

/** The `ref` of a checkbox that is a field of the form. Its value is “on” or empty. */
export function checkField(form: FormState, name: string, label: string, saved: Accessor<boolean>) {
  onCleanup(() => form.unregister(name))
  return (box: HTMLInputElement) => {
    form.register(name, label, {
      get value() {
        return box.checked ? 'on' : ''
      },
      focus: () => box.focus(),
    })
    bindDefaultChecked(box, saved)
  }
}

export function Radios(props: {
  legend: string
  name: string
  value: string
  saved: string
  options: ExplainedOption[]
  onPick: (value: string) => void
  inRow?: boolean
}): JSX.Element {
  return (
    <fieldset class="field radios" classList={{ 'radios-row': props.inRow }}>
      <Legend>{props.legend}</Legend>
      <For each={props.options}>
        {option => (
          <label class="radio">
            <input
              type="radio"
              name={props.name}
              ref={element =>
                createRenderEffect(() => {
                  element.defaultChecked = option.value === props.saved
                })
              }
              value={option.value}
              checked={option.value === props.value}
              onChange={() => props.onPick(option.value)}
            />
            <span>
              {option.label}
              <span class="hint">{option.about}</span>
            </span>
          </label>
        )}
      </For>
    </fieldset>
  )
}

export function Switch(props: {
  label: string
  about?: string
  on: boolean
  onChange: (on: boolean) => void
}): JSX.Element {
  return (
    <div class="field">
      <label class="toggle">
        <input
          type="checkbox"
          role="switch"
          checked={props.on}
          aria-checked={props.on}
          onChange={event => props.onChange(event.currentTarget.checked)}
        />
        <span>
          {props.label}
          <span class="hint">{props.about}</span>
        </span>
      </label>
    </div>
  )
}

/** A switch as one field of the form. `onChange` hears of every change, also when edits are dropped. */
export function SwitchField(props: {
  form: FormState
  name: string
  label: string
  about: string
  saved: boolean
  onChange: (on: boolean) => void
}): JSX.Element {
  const [on, setOn] = createSignal(props.saved)
  const field = checkField(props.form, props.name, props.label, () => props.saved)
  let box: HTMLInputElement | undefined
  // A change elsewhere changes the box, if nobody has touched it.
  createEffect(() => props.saved !== undefined && show(box?.checked ?? false))

  function show(now: boolean): void {
    setOn(now)
    props.onChange(now)
  }

  return (
    <div class="field">
      <label class="toggle">
        <input
          type="checkbox"
          role="switch"
          name={props.name}
          aria-label={props.label}
          ref={element => {
            box = element
            field(element)
          }}
          aria-checked={on()}
          onChange={event => show(event.currentTarget.checked)}
        />
        <span>
          {props.label}
          <span class="hint">{props.about}</span>
        </span>
      </label>
    </div>
  )
}

/** Why a change failed; empty without a failure, so that screen readers announce one. */
export function Reason(props: { reason: string | undefined }): JSX.Element {
  return (
    <p class="form-error reason" role="alert">
      <Show when={props.reason}>
        <IconWarning />
        {props.reason}
      </Show>
    </p>
  )
}
