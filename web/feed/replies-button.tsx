// The replies to a channel, for those who run it: a button with a dot for unseen ones, the newest of them above the reply box,
// and a panel with all.
import { createEffect, createSignal, createUniqueId, type JSX, on, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { createReplies } from '../data/channel/replies.ts'
import { wentWell } from '../data/outbox/interaction.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { isUpToDate } from '../lib/reconnect.ts'
import { IconButton, SmallButton } from '../ui/button.tsx'
import { icon } from '../ui/icons.tsx'
import { IconReply } from '../ui/page-icons.tsx'
import { timeWords } from '../ui/time-ago.tsx'
import { RepliesPanel, replierName } from './replies-panel.tsx'
import './replies.css'

const IconChat = icon(
  'M2.75 4.25a1.5 1.5 0 0 1 1.5-1.5h7.5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H7.5L4.5 13.25v-2.5h-.25a1.5 1.5 0 0 1-1.5-1.5Z',
)

export function RepliesButton(props: { feed: PageFeed }): JSX.Element {
  const { feed } = props
  const outbox = useOutbox()
  const id = createUniqueId()
  const [open, setOpen] = createSignal(false)
  const replies = createReplies(feed.id, () => feed.view()?.can_edit === true && isUpToDate(feed.link()))
  const news = () => replies.unseen().length
  createEffect(() => open() && replies.see())
  /** The viewer's own replies that were sent. */
  const sent = () => outbox.interactions().filter(one => one.type === 'reply' && wentWell(one)).length
  createEffect(on(sent, replies.look, { defer: true }))
  let button: HTMLButtonElement | undefined

  function close(): void {
    setOpen(false)
    button?.focus()
  }

  return (
    <>
      <IconButton
        ref={button}
        class="icon-button replies-button"
        classList={{ 'replies-new': news() > 0 }}
        aria-label={news() > 0 ? `Replies, ${news()} new` : 'Replies'}
        title="Replies"
        aria-expanded={open()}
        aria-controls={open() ? id : undefined}
        onClick={() => setOpen(now => !now)}
      >
        <IconChat />
      </IconButton>
      <Show when={open()}>
        <RepliesPanel id={id} channelId={feed.id} replies={replies} onClose={close} />
      </Show>
      <Show when={!open() && replies.unseen()[0]}>
        {newest => (
          <Portal mount={footOf(feed.id)}>
            <p class="reply-news" role="status">
              <IconReply />
              <span class="cut">
                <b>
                  <bdi>{replierName(newest())}</bdi>
                </b>{' '}
                replied · {timeWords().clockTime(newest().timestamp, new Date().toISOString())}
              </span>
              <SmallButton onClick={() => setOpen(true)}>
                {news() === 1 ? 'Read' : `Read ${news()} new`}
              </SmallButton>
            </p>
          </Portal>
        )}
      </Show>
    </>
  )
}

/** The place above the reply box of a channel. */
const footOf = (channelId: string) =>
  document.querySelector<HTMLElement>(`[data-reply-news="${CSS.escape(channelId)}"]`) ?? document.body
