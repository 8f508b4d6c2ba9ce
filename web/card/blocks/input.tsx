// A line or lines of text, a number, a date, a password. What is typed is a draft until a click sends it.
import { createEffect, onCleanup, Show } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import { useCard } from '../card-context.ts'
import { createDraftValue } from '../draft-value.ts'
import { Field } from '../field.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement

export function InputBlock(props: { block: BlockOf<'input'> }) {
  const draft = createDraftValue(() => props.block)
  const { form } = useCard()

  /**
   * Whoever is in the field is not overtaken there: a new value of the card's shows when they leave. And nothing is
   * written that the field holds already: a half-typed number or date reads as empty, and must stay.
   */
  function follow(control: Control): void {
    const show = () => {
      if (control.value !== draft.value()) control.value = draft.value()
    }
    createEffect(() => {
      draft.value()
      if (control !== document.activeElement || props.block.disabled) show()
    })
    control.addEventListener('blur', () => {
      draft.leave()
      show()
    })
    onCleanup(form.register(props.block.id, control))
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !props.block.multiline && !event.isComposing) draft.leave()
  }

  return (
    <Field block={props.block}>
      {ids => {
        const shared = {
          id: ids.control,
          dir: 'auto' as const,
          get 'aria-describedby'() {
            return ids.describedBy
          },
          get 'aria-invalid'() {
            return ids.invalid
          },
          get placeholder() {
            return props.block.placeholder
          },
          get required() {
            return props.block.required
          },
          get maxlength() {
            return props.block.max_length
          },
          get disabled() {
            return props.block.disabled
          },
          ref: follow,
          onInput: (event: InputEvent & { currentTarget: Control }) =>
            draft.type(event.currentTarget.value, event.isComposing),
          onCompositionEnd: (event: { currentTarget: Control }) =>
            draft.type(event.currentTarget.value, false),
          onKeyDown,
        }
        return (
          <Show
            when={props.block.multiline}
            fallback={
              <input
                {...shared}
                type={props.block.input_type}
                autocomplete={props.block.input_type === 'password' ? 'new-password' : 'off'}
              />
            }
          >
            <textarea {...shared} rows={3} />
          </Show>
        )
      }}
    </Field>
  )
}
