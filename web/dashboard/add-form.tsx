// The form for another entry of a list. It opens on request: an empty form below a list looks like unsaved fields.
import { createSignal, type JSX, Show } from 'solid-js'
import { SmallButton } from '../ui/button.tsx'
import { IconPlus } from '../ui/page-icons.tsx'

/** `add`: the button's words, such as “New attribute”. */
export function AddForm(props: { add: string; children: JSX.Element }): JSX.Element {
  const [open, setOpen] = createSignal(false)
  let box: HTMLDivElement | undefined

  function show(): void {
    setOpen(true)
    box?.querySelector('input')?.focus()
  }

  return (
    <Show
      when={open()}
      fallback={
        <div class="line">
          <SmallButton onClick={show}>
            <IconPlus />
            {props.add}
          </SmallButton>
        </div>
      }
    >
      <div ref={box}>{props.children}</div>
    </Show>
  )
}
