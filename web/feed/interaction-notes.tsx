// What viewers did and cannot see elsewhere: replies, and acts whose place on the page is gone, so that none is lost
// without a word. It stands at the foot of the channel.
import { For, type JSX, Show } from 'solid-js'
import type { PlacedCard } from '../../shared/card.ts'
import type { ChannelHead } from '../../shared/channel.ts'
import { useActing } from '../card/acting.ts'
import { ActSign } from '../card/interaction-status.tsx'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { type Act, placeOf, wentWell } from '../data/outbox/interaction.ts'
import { shortLabel } from '../data/outbox/interaction-words.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'

/** Where a refused reply goes back to. */
export const REPLY_DRAFT = { card: 'reply', block: 'text' } as const

/** `all`: nothing else of the channel is on the page. */
export function ActNotes(props: { all?: boolean }): JSX.Element {
  const feed = useFeed()
  const outbox = useOutbox()
  const { barred } = useActing()
  const hasBox = () => !props.all && barred() === undefined
  const notes = () =>
    outbox
      .acts()
      .filter(act => act.channel_id === feed.id && (props.all ? !wentWell(act) : needsNote(act, feed)))

  /** Ahead of what is being written by now. */
  function takeBack(act: Act, button: HTMLElement): void {
    const { card, block } = REPLY_DRAFT
    const written = feed.drafts.read(card, block)
    feed.drafts.write(card, block, written ? `${act.label}\n${written}` : act.label)
    outbox.forget(act.interaction_id)
    button.closest('.foot')?.querySelector('textarea')?.focus()
  }

  return (
    <Show when={notes().length > 0}>
      <ul class="act-notes" aria-label="What you did">
        <For each={notes()}>
          {act => (
            <li class="act-note">
              <Show when={act.type === 'reply'}>
                <p class="act-note-text">{act.label}</p>
              </Show>
              <ActSign
                act={act}
                label={act.type === 'reply' ? undefined : shortLabel(act)}
                answer={
                  <Show when={act.type === 'reply' && act.progress.state === 'refused' && hasBox()}>
                    <button type="button" class="link" onClick={event => takeBack(act, event.currentTarget)}>
                      Edit
                    </button>
                  </Show>
                }
              />
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}

function needsNote(act: Act, feed: ChannelFeed): boolean {
  if (act.type === 'reply') return true
  return !wentWell(act) && !hasPlace(act, feed.state.head, feed.state.cards)
}

/** Whether the page has the button, action or field that it was done with. */
function hasPlace(
  { card_id, place }: Act,
  head: ChannelHead | null,
  cards: Record<string, PlacedCard | undefined>,
): boolean {
  if (card_id === null) {
    const actions = head?.actions ?? []
    return actions.some(({ id }) => placeOf({ type: 'header_action', action_id: id }) === place)
  }
  const blocks = cards[card_id]?.blocks ?? []
  return blocks.some(block =>
    block.type === 'button'
      ? block.buttons.some(({ id }) => placeOf({ type: 'button_click', button_id: id }) === place)
      : 'send_on_change' in block && `block ${block.id}` === place && block.send_on_change,
  )
}
