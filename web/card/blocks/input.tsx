// A field for text, a number, a date or a password. Typed text is a draft until a click sends it.
import { createEffect } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { BlockOf } from '../../../shared/block.ts'
import { onKey } from '../../lib/on-key.ts'
import { growWith } from '../../ui/grow-with.ts'
import { useCard } from '../card-form.ts'
import { useCardHost } from '../card-host.ts'
import { BlockField } from '../field.tsx'
import { createFieldValue } from '../field-value.ts'
import type { BlockDisplay } from './display.ts'

type Control = HTMLInputElement | HTMLTextAreaElement

export const inputDisplay: BlockDisplay<'input'> = { View: InputField }

function InputField(props: { block: BlockOf<'input'> }) {
  const field = createFieldValue(() => props.block)
  const { id: cardId, form } = useCard()
  const { drafts } = useCardHost()
  const isSecret = () => drafts.isSecret(cardId, props.block)

  // The card's new value waits until the viewer leaves the field. An unchanged value isn't written, because an incomplete
  // number or date reads as empty and would be lost.
  function follow(control: Control): void {
    const show = () => {
      if (control.value !== field.value()) control.value = field.value()
    }
    createEffect(() => {
      field.value()
      if (control !== document.activeElement || field.isDisabled()) show()
    })
    control.addEventListener('blur', () => {
      field.leave()
      show()
    })
    if (control instanceof HTMLTextAreaElement) growWith(control, field.value)
    form.register(props.block.id, control)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !props.block.multiline) field.leave()
  }

  /** The browser saves what stands in a text area, so that it can open the page again. */
  function autocomplete(): string | undefined {
    if (props.block.multiline) return isSecret() ? 'off' : undefined
    return isSecret() ? 'new-password' : 'off'
  }

  return (
    <BlockField block={props.block}>
      {ids => (
        <Dynamic
          component={props.block.multiline ? 'textarea' : 'input'}
          id={ids.control}
          data-kept={isSecret() ? undefined : ''}
          dir="auto"
          aria-describedby={ids.describedBy}
          aria-invalid={ids.invalid}
          placeholder={props.block.placeholder}
          required={props.block.required}
          maxlength={props.block.max_length}
          disabled={field.isDisabled()}
          type={props.block.multiline ? undefined : props.block.input_type}
          autocomplete={autocomplete()}
          ref={follow}
          onInput={(event: InputEvent & { currentTarget: Control }) =>
            field.type(event.currentTarget.value, event.isComposing)
          }
          onCompositionEnd={(event: { currentTarget: Control }) =>
            field.type(event.currentTarget.value, false)
          }
          onKeyDown={onKey(onKeyDown)}
        />
      )}
    </BlockField>
  )
}
