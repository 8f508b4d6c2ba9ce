// A single emoji: typed, pasted, or picked by its name. The picker and its table load when they are first wanted.
import { type Component, createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { followValue } from '../lib/follow.ts'
import type { EmojiPickerProps } from './emoji-picker.tsx'
import { Field, type FieldProps } from './form.tsx'
import { IconSmile } from './page-icons.tsx'

type EmojiFieldProps = Omit<FieldProps, 'children'> & { value: string }

export function EmojiField(props: EmojiFieldProps): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const id = createUniqueId()
  let input: HTMLInputElement | undefined
  let button: HTMLButtonElement | undefined
  let pop: HTMLDivElement | undefined

  function pick(emoji: string): void {
    pop?.hidePopover()
    if (!input) return
    input.value = emoji
    input.dispatchEvent(new Event('input', { bubbles: true }))
    button?.focus()
  }

  function place(): void {
    if (!pop || !button) return
    const { left, bottom } = button.getBoundingClientRect()
    const { width, height } = pop.getBoundingClientRect()
    pop.style.setProperty('left', `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`)
    pop.style.setProperty('top', `${Math.max(8, Math.min(bottom + 6, window.innerHeight - height - 8))}px`)
  }

  /** At once: where it opens again in the same moment, the browser tells of that alone. */
  function onBeforeToggle(event: ToggleEvent): void {
    if (event.newState === 'closed') setOpen(false)
  }

  function onToggle(event: ToggleEvent): void {
    const opened = event.newState === 'open'
    setOpen(opened)
    const listen = opened ? window.addEventListener : window.removeEventListener
    for (const name of ['scroll', 'resize']) listen(name, place, { capture: true })
    if (opened) place()
  }

  /** The dialog that the field may stand in stays. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    pop?.hidePopover()
    button?.focus()
  }

  return (
    <Field form={props.form} name={props.name} label={props.label} hint={props.hint}>
      {control => (
        <div class="emoji-field">
          <input
            {...control}
            ref={element => {
              input = element
              control.ref(element)
              followValue(element, () => props.value)
            }}
            type="text"
            autocomplete="off"
          />
          <button
            type="button"
            class="button button-secondary emoji-open"
            ref={button}
            popovertarget={id}
            aria-haspopup="dialog"
            aria-expanded={open()}
          >
            <IconSmile />
            Choose
          </button>
          <div
            id={id}
            popover="auto"
            class="emoji-pop"
            role="dialog"
            aria-label="Choose an emoji"
            ref={pop}
            on:beforetoggle={onBeforeToggle}
            on:toggle={onToggle}
            on:keydown={onKeyDown}
          >
            <Show when={open()}>
              <LatePicker onPick={pick} />
            </Show>
          </div>
        </div>
      )}
    </Field>
  )
}

const [picker, setPicker] = createSignal<Component<EmojiPickerProps>>()

function LatePicker(props: EmojiPickerProps): JSX.Element {
  const [failed, setFailed] = createSignal(false)
  if (!picker())
    import('./emoji-picker.tsx').then(
      ({ EmojiPicker }) => setPicker(() => EmojiPicker),
      () => setFailed(true),
    )
  return (
    <Show
      when={picker()}
      fallback={
        <p class="emoji-wait" role="status">
          {failed() ? 'The emojis could not be loaded. Type or paste one.' : 'Loading…'}
        </p>
      }
    >
      {picker => <Dynamic component={picker()} onPick={props.onPick} />}
    </Show>
  )
}
