// What the four fillable blocks share: a label above, below it the hint, what is wrong and how a change fares, and the
// ids that tie them to the control.
import { createUniqueId, type JSX, Show } from 'solid-js'
import type { InputBlock } from '../../shared/card-state.ts'
import { useActing } from './acting.ts'
import { useCard } from './card-context.ts'
import { ActSign } from './interaction-status.tsx'
import '../ui/field.css'
import './field.css'

export type FieldIds = { control: string; describedBy: string | undefined; invalid: 'true' | undefined }

/** The ids of a field, and what its control says of them. */
export function createFieldIds(block: () => InputBlock): FieldIds & { note: string; error: string } {
  const id = createUniqueId()
  const { form } = useCard()
  const note = `${id}-note`
  const error = `${id}-error`
  const isWrong = () => form.errorOf(block().id) !== undefined
  return {
    control: id,
    note,
    error,
    get describedBy() {
      const ids = [isWrong() ? error : '', block().hint === undefined ? '' : note].filter(Boolean)
      return ids.length === 0 ? undefined : ids.join(' ')
    },
    get invalid() {
      return isWrong() ? ('true' as const) : undefined
    },
  }
}

export function Field(props: { block: InputBlock; children: (ids: FieldIds) => JSX.Element }): JSX.Element {
  const ids = createFieldIds(() => props.block)
  return (
    <div class="field">
      <Show when={props.block.label}>
        <label for={ids.control}>
          {props.block.label}
          <RequiredMark block={props.block} />
        </label>
      </Show>
      {props.children(ids)}
      <FieldNotes block={props.block} ids={ids} />
    </div>
  )
}

export function RequiredMark(props: { block: InputBlock }): JSX.Element {
  return (
    <Show when={'required' in props.block && props.block.required}>
      <span class="required" aria-hidden="true">
        {' *'}
      </span>
    </Show>
  )
}

/** What is wrong, the hint, and where a change is sent at once how that fares. */
export function FieldNotes(props: { block: InputBlock; ids: { note: string; error: string } }): JSX.Element {
  const card = useCard()
  const { latest } = useActing()
  return (
    <>
      <Show when={card.form.errorOf(props.block.id)}>
        {error => (
          <p class="form-error" id={props.ids.error}>
            {error()}
          </p>
        )}
      </Show>
      <Show when={props.block.hint}>
        <p class="hint" id={props.ids.note}>
          {props.block.hint}
        </p>
      </Show>
      <Show when={props.block.send_on_change}>
        <div class="field-sign">
          <Show when={latest(card.id, `block ${props.block.id}`)}>{act => <ActSign act={act()} />}</Show>
        </div>
      </Show>
    </>
  )
}
