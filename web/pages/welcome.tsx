// What a visitor sees at the address of the service: what it does, a sample feed, and the request that pushes a card.
import { A } from '@solidjs/router'
import { createEffect, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Block } from '../../shared/block.ts'
import type { Decision } from '../../shared/decision.ts'
import type { PreviewCard } from '../builder/preview-card.ts'
import { createPreviewHost, type PreviewHost } from '../builder/preview-host.ts'
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

const ASKED: Decision = {
  id: 'sample',
  key: null,
  state: 'waiting',
  asked_at: new Date().toISOString(),
  expires_at: null,
  who: 'anyone',
  agents: false,
  comment: 'none',
  if_changed: 'accept',
  approves: 'approve',
  abandon: 'keep',
  ended_at: null,
  reason: null,
  outcome: null,
}

/** The first card asks a question, and shows who answered it, as a card of a channel does. */
const question = (decision: Decision): Sample => ({
  status: 'pending',
  blocks: [
    text('title', 'Release 2.5.0 is ready for production', true),
    {
      type: 'kv',
      id: 'facts',
      rows: [
        { key: 'Changes', value: '14 commits' },
        { key: 'Tests', value: '1,284 passed' },
        { key: 'Canary', value: '5\u00a0% for 30\u00a0min' },
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
      decision,
    },
  ],
})

/** No line ends between a number and its unit. */
const OTHERS: Sample[] = [
  { status: 'error', blocks: [text('title', 'Payments: error rate above 2\u00a0%')] },
  { status: 'success', blocks: [text('title', 'Nightly import finished: 214\u00a0parts, 0\u00a0skipped')] },
  { status: 'warning', blocks: [text('title', 'Disk of db-3 is 91\u00a0% full')] },
]

export default function Welcome(): JSX.Element {
  const id = createUniqueId()
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
      <section class="welcome-sample" aria-labelledby={id}>
        <h2 class="sr-only" id={id}>
          A sample feed
        </h2>
        <SampleQuestion />
        <For each={OTHERS}>{(sample, index) => <SampleNews of={sample} index={index() + 1} />}</For>
      </section>
      <div class="welcome-request">
        <h2>One request pushes a card</h2>
        <Command text={pushCommand(location.origin, '$CHANNEL_ID', '$CHANNEL_FEED_KEY')} what="the request" />
      </div>
    </div>
  )
}

const createSample = (sample: () => Sample): PreviewHost =>
  createPreviewHost(() => ({ ...sample(), wrong: 0, missing: 0, asked: [] }))

function SampleNews(props: { of: Sample; index: number }): JSX.Element {
  const sample = createSample(() => props.of)
  return <SampleCard of={sample} index={props.index} />
}

function SampleQuestion(): JSX.Element {
  const [decision, setDecision] = createSignal(ASKED)
  const sample = createSample(() => question(decision()))
  createEffect(() => {
    const trigger = sample.interaction()?.sent.trigger
    if (trigger && 'button_id' in trigger)
      setDecision(decidedBy(String(trigger.button_id), sample.interaction()?.label ?? ''))
  })
  return <SampleCard of={sample} index={0} />
}

/** The visitor is the sample's owner, and so is “You”. */
function decidedBy(button_id: string, label: string): Decision {
  const timestamp = new Date().toISOString()
  const by = { kind: 'owner' as const, name: 'You' }
  const outcome = { button_id, label, by, comment: null, timestamp, act: 'sample' }
  return { ...ASKED, state: 'decided', ended_at: timestamp, outcome }
}

function SampleCard(props: { of: PreviewHost; index: number }): JSX.Element {
  const slice = () => ({
    'is-first': props.index === 0,
    'is-last': props.index === OTHERS.length,
    'after-rich': props.index === 1,
  })
  return (
    <CardHostContext.Provider value={props.of.host}>
      <Show when={props.of.card()}>
        {card => (
          <CardView card={card()} position={props.index + 1} total={OTHERS.length + 1} slice={slice()} />
        )}
      </Show>
    </CardHostContext.Provider>
  )
}
