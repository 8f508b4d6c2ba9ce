// What a PATCH of the card that is being changed holds, or why there is none and what can be done instead.
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Card } from '../../shared/card.ts'
import { countOf } from '../lib/format.ts'
import { Lines } from '../ui/copy.tsx'
import type { Destination } from './destination.ts'
import { formatJson } from './format-json.ts'

export function PatchNotes(props: { to: Destination; card: Card }): JSX.Element {
  const impossible = () => {
    const now = props.to.plan()
    return now.kind === 'impossible' ? now : undefined
  }
  const patch = () => {
    const now = props.to.plan()
    return now.kind === 'patch' ? now : undefined
  }
  return (
    <Switch>
      <Match when={props.to.plan().kind === 'same' && !props.to.sent()}>
        <p class="hint">Nothing has changed yet. What you change is sent as a PATCH.</p>
      </Match>
      <Match when={patch()}>
        {plan => (
          <details class="patch-body">
            <summary>{patchWords(plan().body)}</summary>
            <Lines text={formatJson(plan().body)} label="The body of the PATCH" />
          </details>
        )}
      </Match>
      <Match when={impossible()}>
        {plan => (
          <div class="patch-not">
            <p>A PATCH changes blocks where they stand. This card needs more than that:</p>
            <ul>
              <For each={plan().reasons}>{reason => <li>{reason}</li>}</For>
            </ul>
            <div class="buttons">
              <Show when={props.card.key}>
                {key => (
                  <button
                    type="button"
                    class="button button-secondary button-small"
                    disabled={props.to.busy()}
                    onClick={() => props.to.replace(key())}
                  >
                    Replace it by its key “{key()}”
                  </button>
                )}
              </Show>
              <button
                type="button"
                class="button button-secondary button-small"
                disabled={props.to.busy()}
                onClick={props.to.post}
              >
                Post it as a new card
              </button>
            </div>
          </div>
        )}
      </Match>
    </Switch>
  )
}

function patchWords({ status, blocks = [] }: { status?: string; blocks?: unknown[] }): string {
  const changes = blocks.length === 0 ? '' : `${countOf(blocks.length, 'block', 'blocks')} changed`
  return [changes, status === undefined ? '' : `status: ${status}`].filter(Boolean).join(', ')
}
