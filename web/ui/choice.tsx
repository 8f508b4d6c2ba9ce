// Form controls for anything but a line of text: select, text area, radio buttons, switch.
import { createRenderEffect, For, type JSX } from 'solid-js'
import { Field, type FieldProps } from './form.tsx'

export type Option = { value: string; label: string }

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

export function TextAreaField(props: FieldProps): JSX.Element {
  return <Field {...props}>{control => <textarea {...control} rows={2} />}</Field>
}

export function Radios(props: {
  legend: string
  name: string
  value: string
  saved: string
  options: (Option & { about: string })[]
  onPick: (value: string) => void
}): JSX.Element {
  return (
    <fieldset class="field radios">
      <legend>{props.legend}</legend>
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

/** Why a change failed; empty without a failure, so that screen readers announce one. */
export function Reason(props: { reason: string | undefined }): JSX.Element {
  return (
    <p class="form-error reason" role="alert">
      {props.reason}
    </p>
  )
}
