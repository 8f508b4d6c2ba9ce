// The PATCH of the stored card that is being changed, or why no PATCH can make the change and what to do instead.
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Card, PatchCardBody } from '../../shared/card.ts'
import { countOf } from '../lib/format.ts'
import { Lines } from '../ui/copy.tsx'
import type { Destination, Plan } from './destination.ts'
import { formatJson } from './format-json.ts'

type PlanOf<K extends Plan['kind']> = Extract<Plan, { kind: K }>

export function PatchSummary(props: { destination: Destination; card: Card }): JSX.Element {
  const { destination } = props
  const planOf = <K extends Plan['kind']>(kind: K): PlanOf<K> | undefined => {
    const plan = destination.plan()
    return isKind(plan, kind) ? plan : undefined
  }
  return (
    <Switch>
      <Match when={planOf('same') && !destination.sent()}>
        <p class="hint">No changes yet. Changes are sent as a PATCH.</p>
      </Match>
      <Match when={planOf('patch')}>
        {plan => (
          <details>
            <summary>{summaryOf(plan().body)}</summary>
            <Lines text={formatJson(plan().body)} label="PATCH body" />
          </details>
        )}
      </Match>
      <Match when={planOf('impossible')}>
        {plan => (
          <div class="patch-impossible">
            <p>A PATCH can’t make these changes:</p>
            <ul>
              <For each={plan().reasons}>{reason => <li>{reason}</li>}</For>
            </ul>
            <div class="buttons">
              <Show when={props.card.key}>
                {key => (
                  <button
                    type="button"
                    class="button button-secondary button-small"
                    disabled={destination.busy()}
                    onClick={() => destination.replace(key())}
                  >
                    Replace by key “{key()}”
                  </button>
                )}
              </Show>
              <button
                type="button"
                class="button button-secondary button-small"
                disabled={destination.busy()}
                onClick={destination.create}
              >
                Send as a new card
              </button>
            </div>
          </div>
        )}
      </Match>
    </Switch>
  )
}

const isKind = <K extends Plan['kind']>(plan: Plan, kind: K): plan is PlanOf<K> => plan.kind === kind

function summaryOf({ status, blocks = [] }: PatchCardBody): string {
  const changes = blocks.length === 0 ? '' : `${countOf(blocks.length, 'block', 'blocks')} changed`
  return [changes, status === undefined ? '' : `status: ${status}`].filter(Boolean).join(', ')
}
