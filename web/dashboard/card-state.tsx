// The card of an interaction as it was at that time, read-only: one row per block. The pressed button is marked.
import { For, type JSX, Show } from 'solid-js'
import type { CardStateEntry } from '../../shared/block.ts'
import type { WebhookTrigger } from '../../shared/interaction.ts'
import type { EntryContent } from '../block-kinds/block-kind.ts'
import { entryContent } from '../block-kinds/block-kinds.ts'
import { IconCheck } from '../ui/icons.tsx'

export function CardState(props: { entries: CardStateEntry[]; trigger: WebhookTrigger }): JSX.Element {
  const pressed = () => (props.trigger.type === 'button_click' ? props.trigger.button_id : undefined)
  return (
    <>
      <p class="quiet">The card at the time of this interaction.</p>
      <div class="card-state surface">
        <For each={props.entries.map(entryContent)}>
          {content => content && <Entry content={content} pressed={pressed()} />}
        </For>
      </div>
    </>
  )
}

function Entry(props: { content: EntryContent; pressed: string | undefined }): JSX.Element {
  const { content } = props
  if ('text' in content) return <p dir="auto">{content.text}</p>
  if ('note' in content) return <p class="quiet">{content.note}</p>
  if ('line' in content) return <hr />
  if ('pairs' in content)
    return <For each={content.pairs}>{([name, value]) => <Pair name={name} value={value} />}</For>
  return (
    <p class="line">
      <For each={content.buttons}>
        {({ id, label }) => (
          <span class="card-state-button across" classList={{ 'card-state-pressed': id === props.pressed }}>
            <Show when={id === props.pressed}>
              <IconCheck />
              <span class="sr-only">Pressed: </span>
            </Show>
            <bdi>{label}</bdi>
          </span>
        )}
      </For>
    </p>
  )
}

function Pair(props: { name: string; value: string }): JSX.Element {
  return (
    <p class="card-state-pair">
      <span class="quiet" dir="auto">
        {props.name}
      </span>
      <span dir="auto">{props.value || '–'}</span>
    </p>
  )
}
