// Who pressed the buttons of a block, or a header action: the latest press, and those before it on request.
import { For, Show } from 'solid-js'
import type { DecidedBy } from '../../../shared/decision.ts'
import { whoWords } from '../../data/outbox/press-text.ts'
import { countOf } from '../../lib/format.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { createRecognition } from './create-decision.ts'
import { Avatar } from './outcome.tsx'
import { Sentence } from './sentence.tsx'
import './receipts.css'

type Receipt = { label: string; by: DecidedBy; timestamp: string; act: string }

/** `of`: newest first; `total` also counts presses that it no longer lists. */
export function Receipts(props: { of: { total: number; latest: Receipt[] } }) {
  const isMine = createRecognition()
  const earlier = () => props.of.latest.slice(1)
  return (
    <Show when={props.of.latest[0]}>
      {latest => (
        <div class="receipts">
          <Line of={latest()} isMine={isMine(latest().act)} />
          <Show when={earlier().length > 0}>
            <details>
              <summary>{countOf(props.of.total - 1, 'earlier press', 'earlier presses')}</summary>
              <ul>
                <For each={earlier()}>
                  {receipt => (
                    <li>
                      <Line of={receipt} isMine={isMine(receipt.act)} />
                    </li>
                  )}
                </For>
              </ul>
            </details>
          </Show>
        </div>
      )}
    </Show>
  )
}

function Line(props: { of: Receipt; isMine: boolean }) {
  return (
    <p class="receipt">
      <Avatar by={props.of.by} isMine={props.isMine} />
      <span>
        <Sentence words={[whoWords(props.of.by, props.isMine), ' pressed ', { name: props.of.label }]} />
        {' · '}
        <TimeAgo iso={props.of.timestamp} />
      </span>
    </p>
  )
}
