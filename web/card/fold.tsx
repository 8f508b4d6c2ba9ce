// Long content shows its beginning until the viewer asks for all of it. The choice stays while the page is open, also after
// the card has left the screen. A question shows all of what it is about: nobody should agree to what is folded away.
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { LinkButton } from '../ui/button.tsx'
import { useCard } from './card-form.ts'

const opened = new Set<string>()

export type Fold = ReturnType<typeof createFold>

export function createFold(blockId: () => string) {
  const card = useCard()
  const key = () => `${card.id} ${blockId()}`
  const [choice, setChoice] = createSignal<boolean>()
  // It stays open after the question has ended: what was just decided must not move.
  const hasAsked = createMemo<boolean>(before => before || card.asks(), false)
  const isOpen = () => choice() ?? (opened.has(key()) || hasAsked())
  return {
    isOpen,
    toggle(): void {
      if (isOpen()) opened.delete(key())
      else opened.add(key())
      setChoice(!isOpen())
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
