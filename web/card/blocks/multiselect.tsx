// A checkbox for each option, so that all of them are visible and reachable by keyboard.
import { For, Show } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import { Legend } from '../../ui/legend.tsx'
import { useCard } from '../card-form.ts'
import { createFieldIds, FieldNotes, RequiredMark } from '../field.tsx'
import { createFieldValue } from '../field-value.ts'
import './multiselect.css'

export function MultiselectBlock(props: { block: BlockOf<'multiselect'> }) {
  const field = createFieldValue(() => props.block)
  const ids = createFieldIds(() => props.block)
  const { form } = useCard()

  function toggle(value: string): void {
    const next = new Set(field.value())
    if (!next.delete(value)) next.add(value)
    // In the order of the options, and each value once: options may share a value.
    const values = new Set(props.block.options.map(option => option.value))
    field.choose([...values].filter(option => next.has(option)))
  }

  return (
    <fieldset
      class="field"
      disabled={props.block.disabled}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid}
    >
      <Legend hidden={props.block.label === undefined}>
        {props.block.label ?? props.block.placeholder ?? 'Choices'}
        <RequiredMark block={props.block} />
      </Legend>
      <Show when={props.block.placeholder !== undefined && props.block.label !== undefined}>
        <p class="hint">{props.block.placeholder}</p>
      </Show>
      <div class="choices">
        <For each={props.block.options}>
          {(option, i) => (
            <label class="choice">
              <input
                type="checkbox"
                ref={control => i() === 0 && form.register(props.block.id, control)}
                checked={field.value().includes(option.value)}
                onChange={() => toggle(option.value)}
              />
              <span>{option.label}</span>
            </label>
          )}
        </For>
      </div>
      <FieldNotes block={props.block} ids={ids} />
    </fieldset>
  )
}
