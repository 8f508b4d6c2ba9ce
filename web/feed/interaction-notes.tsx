// At the foot of the channel: replies, and interactions whose button, action or field is no longer on the page.
import { createComputed, createSignal, For, onCleanup, Show, untrack } from 'solid-js'
import { InteractionStatus } from '../card/interaction-status.tsx'
import { useInteractions } from '../card/interactions.ts'
import { type PageFeed, useFeed } from '../data/channel/page-feed.ts'
import { controlOf, isFinishedReply, type LocalInteraction, wentWell } from '../data/outbox/interaction.ts'
import { shortLabel } from '../data/outbox/interaction-text.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { countOf } from '../lib/format.ts'
import { LinkButton } from '../ui/button.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import './interaction-notes.css'

/** The card id and block id of the reply box's draft. */
export const REPLY_DRAFT = ['reply', 'text'] as const
/** How long the note of a reply says that it was delivered. */
const FRESH_MS = 6_000

/** `all`: nothing else of the channel is on the page. */
export function InteractionNotes(props: { all?: boolean }) {
  const feed = useFeed()
  const outbox = useOutbox()
  const { disabledReason } = useInteractions()
  const hasReplyBox = () => !props.all && disabledReason() === undefined
  const notes = () =>
    outbox
      .interactions()
      .filter(
        item =>
          item.channel_id === feed.id &&
          item.progress.state !== 'hidden' &&
          (props.all ? !wentWell(item) : needsNote(item, feed, isFresh)),
      )
  const finished = () =>
    outbox.interactions().filter(item => item.channel_id === feed.id && isFinishedReply(item))
  const isFresh = createFresh(finished, outbox.ready)
  /** Those who run the channel find them in the panel of replies. */
  const sent = () => (feed.view()?.can_edit ? [] : finished().filter(item => !isFresh(item)))
  const canEdit = ({ type, progress }: LocalInteraction) =>
    type === 'reply' && progress.state === 'refused' && hasReplyBox()

  function edit({ interaction_id, label }: LocalInteraction, button: HTMLElement): void {
    const draft = feed.drafts.read(...REPLY_DRAFT)
    feed.drafts.write(...REPLY_DRAFT, draft ? `${label}\n${draft}` : label)
    outbox.remove(interaction_id)
    button.closest('.foot')?.querySelector('textarea')?.focus()
  }

  return (
    <>
      <Show when={sent().length > 0}>
        <SentReplies of={sent()} />
      </Show>
      <Show when={notes().length > 0}>
        <ul class="interaction-notes" aria-label="Your interactions">
          <For each={notes()}>
            {note => (
              <li class="interaction-note line">
                <Show when={note.type === 'reply'}>
                  <p class="interaction-note-text">{note.label}</p>
                </Show>
                <InteractionStatus
                  of={note}
                  label={note.type === 'reply' ? undefined : shortLabel(note)}
                  actions={
                    <Show when={canEdit(note)}>
                      <LinkButton onClick={event => edit(note, event.currentTarget)}>Edit</LinkButton>
                    </Show>
                  }
                />
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
  )
}

/** Oldest first, as they were written. */
function SentReplies(props: { of: LocalInteraction[] }) {
  return (
    <details class="sent-replies">
      <summary>{countOf(props.of.length, 'reply', 'replies')} sent</summary>
      <ul>
        <For each={props.of}>
          {reply => (
            <li>
              <p class="sent-reply" dir="auto">
                {reply.label}
              </p>
              <span class="quiet">
                <TimeAgo iso={reply.acted_at} />
              </span>
            </li>
          )}
        </For>
      </ul>
    </details>
  )
}

/** Tells which interactions were finished a moment ago. `isLoaded`: those of earlier visits are among them. */
function createFresh(
  finished: () => LocalInteraction[],
  isLoaded: () => boolean,
): (interaction: LocalInteraction) => boolean {
  const [fresh, setFresh] = createSignal<ReadonlySet<string>>(new Set())
  let known = new Set<string>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  onCleanup(() => timers.forEach(clearTimeout))
  createComputed(() => {
    const all = finished()
    const isNow = ({ acted_at }: LocalInteraction) =>
      untrack(isLoaded) || Date.now() - Date.parse(acted_at) < FRESH_MS
    const added = all.filter(one => !known.has(one.interaction_id) && isNow(one))
    known = new Set(all.map(({ interaction_id }) => interaction_id))
    if (added.length === 0) return
    const ids = added.map(({ interaction_id }) => interaction_id)
    setFresh(before => new Set([...before, ...ids]))
    const end = () => setFresh(before => new Set([...before].filter(id => !ids.includes(id))))
    timers.add(setTimeout(end, FRESH_MS))
  })
  return ({ interaction_id }) => fresh().has(interaction_id)
}

function needsNote(
  interaction: LocalInteraction,
  feed: PageFeed,
  isFresh: (interaction: LocalInteraction) => boolean,
): boolean {
  if (isFinishedReply(interaction)) return isFresh(interaction)
  return interaction.type === 'reply' || (!wentWell(interaction) && !isControlVisible(interaction, feed))
}

function isControlVisible({ card_id, place }: LocalInteraction, { state }: PageFeed): boolean {
  if (card_id === null) {
    const actions = state.head?.actions ?? []
    return actions.some(({ id }) => controlOf({ type: 'header_action', action_id: id }) === place)
  }
  const blocks = state.cards[card_id]?.blocks ?? []
  return blocks.some(block =>
    block.type === 'button'
      ? block.buttons.some(({ id }) => controlOf({ type: 'button_click', button_id: id }) === place)
      : 'send_on_change' in block &&
        block.send_on_change &&
        controlOf({ type: 'input_change', block_id: block.id, value: null }) === place,
  )
}
