// A field with a choice of values. Any other value stays, because the API reports it.
import { Index, type JSX, Show } from 'solid-js'
import { type BuilderFieldProps, FieldFrame, textOf } from './field.tsx'

export type Choice = { value: unknown; label: string }

/** `children`: shown below the select. */
export function BuilderSelect(
  props: BuilderFieldProps & {
    choices: Choice[]
    value: unknown
    errors?: string[]
    onSelect: (value: unknown) => void
    children?: JSX.Element
  },
): JSX.Element {
  const isKnown = () => props.choices.some(({ value }) => value === props.value)
  return (
    <FieldFrame {...props}>
      {control => (
        <>
          <select
            {...control}
            onChange={event => {
              const choice = props.choices[event.currentTarget.selectedIndex]
              if (choice) props.onSelect(choice.value)
            }}
          >
            <Index each={props.choices}>
              {choice => <option selected={choice().value === props.value}>{choice().label}</option>}
            </Index>
            <Show when={!isKnown()}>
              <option selected>{textOf(props.value)}</option>
            </Show>
          </select>
          {props.children}
        </>
      )}
    </FieldFrame>
  )
}
