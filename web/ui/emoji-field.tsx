// A field for one emoji, typed, pasted or picked. The picker loads when it first opens.
import { type Component, createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { onKey } from '../lib/on-key.ts'
import type { EmojiPickerProps } from './emoji-picker.tsx'
import { Field, type FieldProps } from './form.tsx'
import { IconSmile } from './page-icons.tsx'
import './emoji-field.css'

const EDGE_PX = 8
const GAP_PX = 6

export function EmojiField(props: FieldProps): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const id = createUniqueId()
  let input: HTMLInputElement | undefined
  let button: HTMLButtonElement | undefined
  let popover: HTMLDivElement | undefined

  function close(): void {
    popover?.hidePopover()
    button?.focus()
  }

  function pick(emoji: string): void {
    if (!input) return
    input.value = emoji
    input.dispatchEvent(new Event('input', { bubbles: true }))
    close()
  }

  const moveToButton = () => popover && button && moveBelow(popover, button)

  /** Reports every close. The browser skips `toggle` if the picker reopens at once. */
  function onBeforeToggle(event: ToggleEvent): void {
    if (event.newState === 'closed') setOpen(false)
  }

  function onToggle(event: ToggleEvent): void {
    const opened = event.newState === 'open'
    setOpen(opened)
    const listen = opened ? window.addEventListener : window.removeEventListener
    for (const name of ['scroll', 'resize']) listen(name, moveToButton, { capture: true })
    if (opened) moveToButton()
  }

  /** Escape must not reach the dialog around the field. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }

  return (
    <Field {...props}>
      {control => (
        <div class="emoji-field line">
          <input
            {...control}
            ref={element => {
              input = element
              control.ref(element)
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
            class="emoji-pop box"
            role="dialog"
            aria-label="Choose an emoji"
            ref={popover}
            on:beforetoggle={onBeforeToggle}
            on:toggle={onToggle}
            on:keydown={onKey(onKeyDown)}
          >
            <Show when={open()}>
              <LazyPicker onPick={pick} />
            </Show>
          </div>
        </div>
      )}
    </Field>
  )
}

function moveBelow(popover: HTMLElement, button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const inside = (at: number, end: number) => `${Math.max(EDGE_PX, Math.min(at, end - EDGE_PX))}px`
  popover.style.left = inside(left, window.innerWidth - width)
  popover.style.top = inside(bottom + GAP_PX, window.innerHeight - height)
}

const [picker, setPicker] = createSignal<Component<EmojiPickerProps>>()

function LazyPicker(props: EmojiPickerProps): JSX.Element {
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
        <p class="emoji-message" role="status">
          {failed() ? 'The emojis didn’t load. Type or paste one.' : 'Loading…'}
        </p>
      }
    >
      {picker => <Dynamic component={picker()} onPick={props.onPick} />}
    </Show>
  )
}
