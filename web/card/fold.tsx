// Long content shows its beginning until the viewer asks for all of it. The choice stays while the page is open, also after
// the card has left the screen.
import { createSignal, type JSX, Show } from 'solid-js'
import { LinkButton } from '../ui/button.tsx'
import { useCard } from './card-form.ts'

const opened = new Set<string>()

export type Fold = ReturnType<typeof createFold>

export function createFold(blockId: () => string) {
  const card = useCard()
  const key = () => `${card.id} ${blockId()}`
  const [isOpen, setOpen] = createSignal(opened.has(key()))
  return {
    isOpen,
    toggle(): void {
      if (isOpen()) opened.delete(key())
      else opened.add(key())
      setOpen(!isOpen())
    },
  }
}

/** `all`: what the button shows, such as “200 rows”. */
export function FoldButton(props: { fold: Fold; isLong: boolean; all: string }): JSX.Element {
  return (
    <Show when={props.isLong}>
      <LinkButton class="link fold-button" aria-expanded={props.fold.isOpen()} onClick={props.fold.toggle}>
        {props.fold.isOpen() ? 'Show less' : `Show all${props.all}`}
      </LinkButton>
    </Show>
  )
}
