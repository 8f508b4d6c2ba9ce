// Example cards to start with, each as viewers would see it.
import { createUniqueId, For, type JSX } from 'solid-js'
import { SmallButton } from '../ui/button.tsx'
import { Modal } from '../ui/modal.tsx'
import { useBuilder } from './builder.ts'
import { type CardExample, cardExamples } from './card-examples.ts'
import { formatJson } from './format-json.ts'
import { PreviewedCard } from './preview.tsx'
import { makePreviewCards } from './preview-card.ts'
import { createPreviewHost } from './preview-host.ts'
import './gallery.css'

export function Gallery(): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  return (
    <Modal
      class="dialog stack gallery"
      labelledBy={`${id}-title`}
      describedBy={`${id}-about`}
      onClose={() => builder.showExamples(false)}
    >
      {close => (
        <>
          <div class="line gallery-head">
            <h2 class="dialog-title" id={`${id}-title`}>
              Examples
            </h2>
            <SmallButton onClick={close}>Close</SmallButton>
          </div>
          <p class="dialog-about" id={`${id}-about`}>
            Start with one of these. Undo brings back your current card.
          </p>
          <ul class="gallery-list">
            <For each={cardExamples(location.origin)}>
              {example => (
                <Example
                  example={example}
                  onSelect={() => {
                    const { name, about, ...card } = example
                    const text = formatJson(card)
                    builder.replace({ text, card: null }, `Example: ${name}.`)
                    close()
                  }}
                />
              )}
            </For>
          </ul>
        </>
      )}
    </Modal>
  )
}

function Example(props: { example: CardExample; onSelect: () => void }): JSX.Element {
  const id = createUniqueId()
  const card = makePreviewCards()(props.example, [])
  const preview = createPreviewHost(() => card)
  return (
    <li class="box gallery-item">
      <h3>
        <button type="button" class="gallery-select" aria-describedby={id} onClick={() => props.onSelect()}>
          {props.example.name}
        </button>
      </h3>
      <p class="hint" id={id}>
        {props.example.about}
      </p>
      <div class="gallery-card" inert>
        <PreviewedCard {...preview} />
      </div>
    </li>
  )
}
