// The card of an interaction as it was at that time, read-only: one row per block. The pressed button is marked.
import { For, type JSX, Show } from 'solid-js'
import type { WebhookTrigger } from '../../shared/interaction.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { IconCheck } from '../ui/icons.tsx'

type Entries = NonNullable<LoggedInteraction['card_state']>
type Entry = Entries[number]

export function CardState(props: { entries: Entries; trigger: WebhookTrigger }): JSX.Element {
  const pressed = () => (props.trigger.type === 'button_click' ? props.trigger.button_id : undefined)
  return (
    <>
      <p class="quiet">The card at the time of this interaction.</p>
      <div class="card-state surface">
        <For each={props.entries}>{entry => <Block entry={entry} pressed={pressed()} />}</For>
      </div>
    </>
  )
}

function Block(props: { entry: Entry; pressed: string | undefined }): JSX.Element {
  const { entry } = props
  switch (entry.type) {
    case 'text':
      return <p dir="auto">{entry.content}</p>
    case 'badge':
      return <p dir="auto">{entry.label}</p>
    case 'divider':
      return <hr />
    case 'image':
      return <p class="quiet">Image: {entry.alt || entry.url}</p>
    case 'kv':
      return <For each={entry.rows}>{({ key, value }) => <Pair name={key} value={value} />}</For>
    case 'button':
      return (
        <p class="line">
          <For each={entry.buttons}>
            {({ id, label }) => (
              <span
                class="card-state-button across"
                classList={{ 'card-state-pressed': id === props.pressed }}
              >
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
    case 'multiselect':
      return <Pair name={entry.id} value={entry.value.join(', ')} />
    case 'toggle':
      return <Pair name={entry.label} value={entry.value ? 'on' : 'off'} />
    case 'input':
    case 'select':
      return <Pair name={entry.label ?? entry.id} value={entry.value ?? ''} />
  }
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
