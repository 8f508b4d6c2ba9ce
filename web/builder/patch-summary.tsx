// The PATCH that would be sent, or why no PATCH can make the change and what to do instead.
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Card, PatchCardBody } from '../../shared/card.ts'
import { countOf } from '../lib/format.ts'
import { SmallButton } from '../ui/button.tsx'
import { Lines } from '../ui/copy.tsx'
import type { Destination } from './destination.ts'
import { formatJson } from './format-json.ts'

export function PatchSummary(props: { destination: Destination; card: Card }): JSX.Element {
  const { destination } = props
  const { busy, plan } = destination
  const impossible = () => {
    const now = plan()
    return now.kind === 'impossible' ? now : undefined
  }
  const patch = () => {
    const now = plan()
    return now.kind === 'patch' ? now : undefined
  }
  return (
    <Switch>
      <Match when={plan().kind === 'same' && !destination.sent()}>
        <p class="hint">No changes yet. Changes are sent as a PATCH.</p>
      </Match>
      <Match when={patch()}>
        {found => (
          <details>
            <summary>{summaryOf(found().body)}</summary>
            <Lines text={formatJson(found().body)} label="PATCH body" />
          </details>
        )}
      </Match>
      <Match when={impossible()}>
        {found => (
          <div class="patch-impossible stack">
            <p>A PATCH can’t make these changes:</p>
            <ul>
              <For each={found().reasons}>{reason => <li>{reason}</li>}</For>
            </ul>
            <div class="line">
              <Show when={props.card.key}>
                {key => (
                  <SmallButton disabled={busy()} onClick={() => destination.replace(key())}>
                    Replace by key “{key()}”
                  </SmallButton>
                )}
              </Show>
              <SmallButton disabled={busy()} onClick={destination.create}>
                Send as a new card
              </SmallButton>
            </div>
          </div>
        )}
      </Match>
    </Switch>
  )
}

function summaryOf({ status, blocks = [] }: PatchCardBody): string {
  const changes = blocks.length === 0 ? '' : `${countOf(blocks.length, 'block', 'blocks')} changed`
  return [changes, status === undefined ? '' : `status: ${status}`].filter(Boolean).join(', ')
}
