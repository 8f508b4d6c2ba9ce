// What the fields of a card share: the label, the hint, the error, the status of a sent change, and their ids.
import { createUniqueId, type JSX, Show } from 'solid-js'
import type { InputBlock } from '../../shared/card-state.ts'
import { placeOf } from '../data/outbox/interaction.ts'
import { useCard } from './card-context.ts'
import { InteractionStatus } from './interaction-status.tsx'
import { useInteractions } from './interactions.ts'
import '../ui/field.css'
import './field.css'

/** Ids for the control's attributes, and for the hint and the error that describe it. */
export function createFieldIds(block: () => InputBlock) {
  const id = createUniqueId()
  const { form } = useCard()
  const hint = `${id}-note`
  const error = `${id}-error`
  const isWrong = () => form.errorOf(block().id) !== undefined
  return {
    control: id,
    hint,
    error,
    get describedBy(): string | undefined {
      const ids = [isWrong() ? error : '', block().hint === undefined ? '' : hint].filter(Boolean)
      return ids.length === 0 ? undefined : ids.join(' ')
    },
    get invalid() {
      return isWrong() ? ('true' as const) : undefined
    },
  }
}

type FieldIds = ReturnType<typeof createFieldIds>

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

/** The error, the hint, and the status of a change if the block sends changes. */
export function FieldNotes(props: { block: InputBlock; ids: FieldIds }): JSX.Element {
  const card = useCard()
  const { latest } = useInteractions()
  const last = () => latest(card.id, placeOf({ type: 'input_change', block_id: props.block.id, value: null }))
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
        <p class="hint" id={props.ids.hint}>
          {props.block.hint}
        </p>
      </Show>
      <Show when={props.block.send_on_change}>
        <div class="field-status">
          <Show when={last()}>{interaction => <InteractionStatus of={interaction()} />}</Show>
        </div>
      </Show>
    </>
  )
}
