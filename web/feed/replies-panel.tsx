// The panel with the replies to a channel: beside the cards on a wide screen, over the page on a narrow one.
import { A } from '@solidjs/router'
import { createEffect, For, type JSX, on, onMount, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import type { Replies } from '../data/channel/replies.ts'
import { useSession } from '../data/session.tsx'
import { initialsOf } from '../lib/initials.ts'
import { createMedia } from '../lib/media.ts'
import { onKey } from '../lib/on-key.ts'
import { IconButton, LinkButton } from '../ui/button.tsx'
import { IconLock } from '../ui/icons.tsx'
import { LinkedText } from '../ui/linked-text.tsx'
import { Modal } from '../ui/modal.tsx'
import { IconX } from '../ui/page-icons.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { timeWords } from '../ui/time-ago.tsx'
import '../ui/avatar.css'

/** The stylesheet repeats this width. */
const NARROW = '(width < 64rem)'

type Props = { id: string; channelId: string; replies: Replies; onClose: () => void }

export const replierName = ({ by }: LoggedInteraction) => by.name ?? 'Someone'

export function RepliesPanel(props: Props): JSX.Element {
  const isNarrow = createMedia(NARROW)
  return (
    <Show
      when={isNarrow()}
      fallback={
        <Portal>
          <aside
            class="replies surface"
            id={props.id}
            aria-label="Replies"
            onKeyDown={onKey(event => event.key === 'Escape' && props.onClose())}
          >
            <Content {...props} />
          </aside>
        </Portal>
      }
    >
      <Modal class="replies-sheet" label="Replies" onClose={props.onClose}>
        {close => <Content {...props} onClose={close} />}
      </Modal>
    </Show>
  )
}

function Content(props: Props): JSX.Element {
  const { replies } = props
  const oldestFirst = () => replies.newestFirst().toReversed()
  let list: HTMLDivElement | undefined
  let closing: HTMLButtonElement | undefined
  onMount(() => closing?.focus())
  // The newest one is at the end.
  createEffect(on(replies.newest, () => queueMicrotask(() => list?.scrollTo(0, list.scrollHeight))))
  return (
    <>
      <header class="replies-head across">
        <h2 class="fill">Replies</h2>
        <IconButton
          ref={closing}
          aria-label="Close replies"
          title="Close (Esc)"
          onClick={() => props.onClose()}
        >
          <IconX />
        </IconButton>
      </header>
      <p class="replies-lead line">
        <IconLock />
        Only the owner and editors see these.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach a box that scrolls */}
      <div class="replies-list" ref={list} tabIndex={0} role="log" aria-label="Replies, newest last">
        <Show when={replies.loaded()} fallback={<Skeletons label="Loading replies" count={2} />}>
          <Show when={replies.hasOlder()}>
            <LinkButton onClick={() => replies.showOlder()}>Show earlier replies</LinkButton>
          </Show>
          <For each={oldestFirst()} fallback={<p class="quiet">No replies yet.</p>}>
            {reply => <Reply of={reply} channelId={props.channelId} />}
          </For>
        </Show>
      </div>
    </>
  )
}

function Reply(props: { of: LoggedInteraction; channelId: string }): JSX.Element {
  const { user } = useSession()
  const isMine = () => props.of.by.user_id !== null && props.of.by.user_id === user()?.id
  const text = () => (props.of.trigger.type === 'reply' ? props.of.trigger.text : '')
  const delivery = () => props.of.deliveries[0]
  return (
    <article class="reply-entry">
      <span class="avatar" classList={{ 'avatar-me': isMine() }} aria-hidden="true">
        {props.of.by.name === null ? '?' : initialsOf(props.of.by.name)}
      </span>
      <div class="reply-words">
        <p class="reply-who line">
          <b>
            <bdi>{isMine() ? 'You' : replierName(props.of)}</bdi>
          </b>
          <time dateTime={props.of.timestamp} title={timeWords().exactTime(props.of.timestamp)}>
            {timeWords().clockTime(props.of.timestamp, new Date().toISOString())}
          </time>
        </p>
        <p class="reply-text" dir="auto">
          <LinkedText content={text()} />
        </p>
        <Show when={delivery()?.status === 'failed'}>
          <p class="note note-error">
            Not delivered.{' '}
            <A
              class="link"
              href={`/dashboard/channels/${props.channelId}/log?entry=${props.of.interaction_id}&at=${props.of.timestamp}`}
            >
              Open log
            </A>
          </p>
        </Show>
      </div>
    </article>
  )
}
