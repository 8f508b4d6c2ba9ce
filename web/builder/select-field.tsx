// A field with a choice of values. Any other value stays, because the API reports it.
import { Index, type JSX, Show, splitProps } from 'solid-js'
import { type BuilderFieldProps, FieldFrame, textOf } from './field.tsx'

export type Choice = { value: unknown; label: string }

/** `children`: shown below the select. */
export function BuilderSelect(
  props: BuilderFieldProps &
    SelectProps & {
      errors?: string[]
      children?: JSX.Element
    },
): JSX.Element {
  return (
    <FieldFrame {...props}>
      {control => (
        <>
          <ChoiceSelect {...control} choices={props.choices} value={props.value} onSelect={props.onSelect} />
          {props.children}
        </>
      )}
    </FieldFrame>
  )
}

type SelectProps = { choices: Choice[]; value: unknown; onSelect: (value: unknown) => void }

export function ChoiceSelect(
  props: SelectProps & Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, keyof SelectProps>,
): JSX.Element {
  const [own, attributes] = splitProps(props, ['choices', 'value', 'onSelect'])
  const isKnown = () => own.choices.some(({ value }) => value === own.value)
  return (
    <select
      {...attributes}
      onChange={event => {
        const choice = own.choices[event.currentTarget.selectedIndex]
        if (choice) own.onSelect(choice.value)
      }}
    >
      <Index each={own.choices}>
        {choice => <option selected={choice().value === own.value}>{choice().label}</option>}
      </Index>
      <Show when={!isKnown()}>
        <option selected>{textOf(own.value)}</option>
      </Show>
    </select>
  )
}
