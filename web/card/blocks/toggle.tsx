// A switch that is on or off.
import type { BlockOf } from '../../../shared/block.ts'
import { createDraftValue } from '../draft-value.ts'
import { createFieldIds, FieldNotes } from '../field.tsx'

export function ToggleBlock(props: { block: BlockOf<'toggle'> }) {
  const draft = createDraftValue(() => props.block)
  const ids = createFieldIds(() => props.block)
  return (
    <div class="field">
      <label class="toggle">
        <input
          type="checkbox"
          role="switch"
          checked={draft.value()}
          aria-checked={draft.value()}
          disabled={props.block.disabled}
          aria-describedby={ids.describedBy}
          onChange={event => draft.choose(event.currentTarget.checked)}
        />
        <span>{props.block.label}</span>
      </label>
      <FieldNotes block={props.block} ids={ids} />
    </div>
  )
}
