// Who pressed the buttons of a block, or a header action: the latest press, and those before it on request.
import { createSignal, createUniqueId, For, type ParentProps, Show } from 'solid-js'
import type { DecidedBy } from '../../../shared/decision.ts'
import { NAMES_MAX, peopleWords, type ShownPress, whoWords } from '../../data/outbox/press-text.ts'
import { formatNumber } from '../../lib/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { createRecognition } from './create-decision.ts'
import { Avatar } from './outcome.tsx'
import { Sentence } from './sentence.tsx'
import './receipts.css'

type Receipt = { label: string; by: DecidedBy; timestamp: string; act: string }

/** `of`: newest first; `total` also counts presses that it no longer lists. */
export function ReceiptList(props: { of: { total: number; latest: Receipt[] } }) {
  const { isMine } = createRecognition()
  const newest = () => newestPresses(props.of.latest)
  const earlier = () => props.of.latest.slice(1)
  const id = createUniqueId()
  const [isOpen, setOpen] = createSignal(false)
  return (
    <Show when={newest().length > 0}>
      <div class="receipts">
        <Line of={newest()} isMine={isMine}>
          <Show when={props.of.total > newest().length}>
            {' · '}
            <LinkButton
              class="link receipts-earlier"
              aria-expanded={isOpen()}
              aria-controls={isOpen() ? id : undefined}
              onClick={() => setOpen(!isOpen())}
            >
              {formatNumber(props.of.total - 1)} earlier
              <span class="sr-only">{props.of.total === 2 ? ' press' : ' presses'}</span>
            </LinkButton>
          </Show>
        </Line>
        <Show when={isOpen()}>
          <ul id={id}>
            <For each={earlier()}>
              {receipt => (
                <li>
                  <Line of={[receipt]} isMine={isMine} />
                </li>
              )}
            </For>
          </ul>
        </Show>
      </div>
    </Show>
  )
}

/** The newest press, and those of other named people on the same button just before it. */
function newestPresses(latest: Receipt[]): Receipt[] {
  const people = new Set<string | null>([null])
  const end = latest.findIndex(({ label, by }, i) => {
    const known = people.has(by.name)
    people.add(by.name)
    return i > 0 && (known || label !== latest[0]?.label)
  })
  return end < 0 ? latest : latest.slice(0, end)
}

/** Presses on one button, newest first. */
function Line(props: ParentProps<{ of: Receipt[]; isMine: (press: ShownPress) => boolean }>) {
  /** “You” begins the sentence. */
  const people = () =>
    props.of
      .map(press => ({ by: press.by, isMine: props.isMine(press) }))
      .sort((a, b) => Number(b.isMine) - Number(a.isMine))
  const words = () => [
    ...peopleWords(people().map(({ by, isMine }) => whoWords(by, isMine))),
    ' pressed ',
    { name: props.of[0]?.label ?? '' },
  ]
  return (
    <p class="receipt">
      <For each={people().slice(0, NAMES_MAX)}>{person => <Avatar {...person} />}</For>
      <span>
        <Sentence words={words()} />
        {' · '}
        <TimeAgo iso={props.of[0]?.timestamp ?? ''} />
        {props.children}
      </span>
    </p>
  )
}
