// A switch that is on or off.
import type { BlockOf } from '../../../shared/block.ts'
import { createFieldIds, FieldNotes } from '../field.tsx'
import { createFieldValue } from '../field-value.ts'
import type { BlockDisplay } from './display.ts'

export const toggleDisplay: BlockDisplay<'toggle'> = { View: Switch }

function Switch(props: { block: BlockOf<'toggle'> }) {
  const field = createFieldValue(() => props.block)
  const ids = createFieldIds(() => props.block)
  return (
    <div class="field">
      <label class="toggle">
        <input
          type="checkbox"
          role="switch"
          checked={field.value()}
          aria-checked={field.value()}
          disabled={field.isDisabled()}
          aria-describedby={ids.describedBy}
          onChange={event => field.choose(event.currentTarget.checked)}
        />
        <span>{props.block.label}</span>
      </label>
      <FieldNotes block={props.block} ids={ids} />
    </div>
  )
}
