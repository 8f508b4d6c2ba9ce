// A channel without cards. Its owner sees how to push the first one. It loads when it is needed: most channels have cards.
import { A } from '@solidjs/router'
import { type ComponentProps, Show, Suspense } from 'solid-js'
import { useFeed } from '../data/channel/page-feed.ts'
import { optionalPart } from '../lib/optional-part.ts'
import type { Command as CommandBox } from '../ui/copy.tsx'
import { Notice } from '../ui/notice.tsx'
import '../ui/copy.css'

const Command = optionalPart<ComponentProps<typeof CommandBox>>(() =>
  import('../ui/copy.tsx').then(({ Command }) => ({ default: Command })),
)

const COMMAND = 'the line that pushes a card'

export default function EmptyChannel() {
  const feed = useFeed()
  const command = () =>
    [
      `curl ${location.origin}/api/v1/channels/${feed.id}/cards \\`,
      `  -H "Authorization: Bearer $CHANNEL_FEED_KEY" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{"blocks": [{"type": "text", "content": "Hello"}]}'`,
    ].join('\n')
  return (
    <Notice title="No cards yet" heading="h2">
      <p>Cards appear here as soon as an automation pushes them.</p>
      <Show when={feed.view()?.can_edit}>
        <Suspense fallback={<PlainCommand text={command()} />}>
          <Command text={command()} what={COMMAND} />
        </Suspense>
        <p>
          Set <code>CHANNEL_FEED_KEY</code> to an <A href="/dashboard/keys">API key</A>. Or{' '}
          <A href={`/dashboard/builder?channel=${feed.id}`}>create a card in the card builder</A>.
        </p>
      </Show>
    </Notice>
  )
}

function PlainCommand(props: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach a box that scrolls
    <section class="command" tabIndex={0} aria-label={COMMAND}>
      {props.text}
    </section>
  )
}
