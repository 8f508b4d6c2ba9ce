// One option of several, or none.
import { For } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import { useCard } from '../card-form.ts'
import { BlockField } from '../field.tsx'
import { createFieldValue } from '../field-value.ts'
import type { BlockDisplay } from './display.ts'

export const selectDisplay: BlockDisplay<'select'> = { View: SelectField }

function SelectField(props: { block: BlockOf<'select'> }) {
  const field = createFieldValue(() => props.block)
  const { form } = useCard()
  const index = () => props.block.options.findIndex(({ value }) => value === field.value())

  function choose(event: { currentTarget: { selectedIndex: number } }): void {
    // The first entry of the list is the placeholder.
    field.choose(props.block.options[event.currentTarget.selectedIndex - 1]?.value ?? null)
  }

  return (
    <BlockField block={props.block}>
      {ids => (
        <select
          id={ids.control}
          ref={control => form.register(props.block.id, control)}
          aria-describedby={ids.describedBy}
          aria-invalid={ids.invalid}
          required={props.block.required}
          disabled={field.isDisabled()}
          onChange={choose}
        >
          <option selected={index() < 0}>{props.block.placeholder ?? 'Choose…'}</option>
          <For each={props.block.options}>
            {(option, i) => <option selected={index() === i()}>{option.label}</option>}
          </For>
        </select>
      )}
    </BlockField>
  )
}
