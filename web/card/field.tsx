// The parts that all fields of a card share: label, hint, error, the status of a sent change, and their ids.
import { createUniqueId, type JSX, Show } from 'solid-js'
import type { FormBlock } from '../../shared/form-block.ts'
import { controlOf } from '../data/outbox/interaction.ts'
import { IconWarning } from '../ui/icons.tsx'
import { useCard } from './card-form.ts'
import { InteractionStatus } from './interaction-status.tsx'
import { useInteractions } from './interactions.ts'
import '../ui/field.css'
import './field.css'

export function createFieldIds(block: () => FormBlock) {
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
      return ids.join(' ') || undefined
    },
    get invalid() {
      return isWrong() ? ('true' as const) : undefined
    },
  }
}

type FieldIds = ReturnType<typeof createFieldIds>

export function BlockField(props: { block: FormBlock; children: (ids: FieldIds) => JSX.Element }) {
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

export function RequiredMark(props: { block: FormBlock }) {
  return (
    <Show when={'required' in props.block && props.block.required}>
      <span class="required" aria-hidden="true">
        {' *'}
      </span>
    </Show>
  )
}

export function FieldNotes(props: { block: FormBlock; ids: FieldIds }) {
  const card = useCard()
  const { latest } = useInteractions()
  const last = () =>
    latest(card.id, controlOf({ type: 'input_change', block_id: props.block.id, value: null }))
  return (
    <>
      <Show when={card.form.errorOf(props.block.id)}>
        {error => (
          <p class="form-error" id={props.ids.error}>
            <IconWarning />
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
