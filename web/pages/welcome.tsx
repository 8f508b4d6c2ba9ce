// What a visitor sees at the address of the service: what it does, a sample feed, and the request that pushes a card.
import { A } from '@solidjs/router'
import { For, type JSX, Show } from 'solid-js'
import type { Block } from '../../shared/block.ts'
import type { PreviewCard } from '../builder/preview-card.ts'
import { createPreviewHost } from '../builder/preview-host.ts'
import { CardView } from '../card/card.tsx'
import { CardHostContext } from '../card/card-host.ts'
import { pushCommand } from '../dashboard/push-command.ts'
import { Command } from '../ui/copy.tsx'
import './welcome.css'

const text = (id: string, content: string, bold = false): Block => ({
  type: 'text',
  id,
  content,
  size: bold ? 'lg' : 'md',
  bold,
})

type Sample = Pick<PreviewCard, 'status' | 'blocks'>

const SAMPLE: Sample[] = [
  {
    status: 'pending',
    blocks: [
      text('title', 'Release 2.5.0 is ready for production', true),
      {
        type: 'kv',
        id: 'facts',
        rows: [
          { key: 'Changes', value: '14 commits' },
          { key: 'Tests', value: '1,284 passed' },
          { key: 'Canary', value: '5 % for 30 min' },
        ],
      },
      {
        type: 'button',
        id: 'actions',
        buttons: [
          { id: 'approve', label: 'Approve', style: 'primary', disabled: false },
          { id: 'hold', label: 'Hold', style: 'secondary', disabled: false },
          { id: 'reject', label: 'Reject', style: 'danger', disabled: false },
        ],
      },
    ],
  },
  { status: 'error', blocks: [text('title', 'Payments: error rate above 2 %')] },
  { status: 'success', blocks: [text('title', 'Nightly import finished: 214 parts, 0 skipped')] },
  { status: 'warning', blocks: [text('title', 'Disk of db-3 is 91 % full')] },
]

export default function Welcome(): JSX.Element {
  return (
    <div class="welcome">
      <div class="welcome-words">
        <h1>Live feeds for your automations</h1>
        <p>
          Scripts, services and agents push cards over a small REST API. People see them at once, decide with
          a click, and can read them offline.
        </p>
        <div class="line">
          <A class="button button-primary" href="/sign-in">
            Sign in
          </A>
          <A class="button button-secondary" href="/sign-up">
            Create an account
          </A>
          <A class="button button-plain" href="/docs">
            API reference
          </A>
        </div>
      </div>
      <div
        class="welcome-sample"
        role="img"
        aria-label="A feed: a release that waits for approval, an error, a finished import, a warning"
      >
        <div inert>
          <For each={SAMPLE}>{(sample, index) => <SampleCard sample={sample} index={index()} />}</For>
        </div>
      </div>
      <div class="welcome-request">
        <h2>One request pushes a card</h2>
        <Command text={pushCommand(location.origin, '$CHANNEL_ID', '$CHANNEL_FEED_KEY')} what="the request" />
      </div>
    </div>
  )
}

function SampleCard(props: { sample: Sample; index: number }): JSX.Element {
  const { host, card } = createPreviewHost(() => ({ ...props.sample, wrong: 0, missing: 0, asked: [] }))
  const slice = () => ({
    'is-first': props.index === 0,
    'is-last': props.index === SAMPLE.length - 1,
    'after-rich': props.index === 1,
  })
  return (
    <CardHostContext.Provider value={host}>
      <Show when={card()}>
        {card => <CardView card={card()} position={props.index + 1} total={SAMPLE.length} slice={slice()} />}
      </Show>
    </CardHostContext.Provider>
  )
}
