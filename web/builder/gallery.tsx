// Whole cards to begin with, shown as they will look.
import { Dialog } from '@kobalte/core/dialog'
import { createUniqueId, For, type JSX } from 'solid-js'
import { createCardBody } from '../../shared/card.ts'
import { Card } from '../card/card.tsx'
import { FeedContext } from '../data/channel/feed-context.ts'
import { OutboxContext } from '../data/outbox/outbox-context.tsx'
import { useBuilder } from './builder.ts'
import { type CardExample, cardExamples } from './card-examples.ts'
import { createPreviewFeed } from './preview-feed.ts'

export type GalleryProps = { open: boolean; onOpen: (open: boolean) => void }

export function Gallery(props: GalleryProps): JSX.Element {
  const builder = useBuilder()
  const examples = cardExamples(location.origin)

  function take({ card, name }: CardExample): void {
    builder.replace(card, `Example: ${name}.`)
    props.onOpen(false)
  }

  return (
    <Dialog open={props.open} onOpenChange={props.onOpen}>
      <Dialog.Portal>
        <Dialog.Overlay class="dialog-overlay" />
        <div class="dialog-place">
          <Dialog.Content class="dialog gallery">
            <div class="gallery-head">
              <Dialog.Title class="dialog-title">Examples</Dialog.Title>
              <Dialog.CloseButton class="button button-secondary button-small">Close</Dialog.CloseButton>
            </div>
            <Dialog.Description class="dialog-about">
              Begin with one of these. Undo brings back what you have now.
            </Dialog.Description>
            <ul class="gallery-list">
              <For each={examples}>
                {example => <Example example={example} onTake={() => take(example)} />}
              </For>
            </ul>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog>
  )
}

function Example(props: { example: CardExample; onTake: () => void }): JSX.Element {
  const id = createUniqueId()
  const { status, blocks } = createCardBody.parse(props.example.card)
  const preview = createPreviewFeed(() => ({ status, blocks, wrong: 0, missing: 0 }))
  const cards = () => preview.feed.ids().flatMap(one => preview.feed.state.cards[one] ?? [])
  return (
    <li class="gallery-item">
      <h3>
        <button type="button" class="gallery-take" aria-describedby={id} onClick={() => props.onTake()}>
          {props.example.name}
        </button>
      </h3>
      <p class="hint" id={id}>
        {props.example.about}
      </p>
      <div class="gallery-card" inert>
        <FeedContext.Provider value={preview.feed}>
          <OutboxContext.Provider value={preview.outbox}>
            <For each={cards()}>{card => <Card card={card} position={1} total={1} />}</For>
          </OutboxContext.Provider>
        </FeedContext.Provider>
      </div>
    </li>
  )
}
