// What needs the person: decisions first, then failing webhooks. Empty if nothing does.
import { A } from '@solidjs/router'
import { createMemo, For, type JSX, Show } from 'solid-js'
import type { SummarizedChannel } from '../../shared/channel.ts'
import { countOf, formatNumber } from '../lib/format.ts'
import { Mark } from '../ui/status.tsx'
import { isFailing } from './channel-signs.ts'
import './attention.css'

type Part = { workspace: { slug: string }; channels: SummarizedChannel[] }

const NAMED_MAX = 2
const WEBHOOKS_MAX = 3

export function Attention(props: { parts: Part[] }): JSX.Element {
  const channels = () => props.parts.flatMap(part => part.channels)
  const waiting = createMemo(() => channels().filter(({ needs_you }) => needs_you > 0))
  const failing = createMemo(() => channels().filter(isFailing))
  const more = () => failing().length - WEBHOOKS_MAX
  return (
    <Show when={waiting().length + failing().length > 0}>
      <ul class="attention surface surface-wide" aria-label="Needs attention">
        <Show when={waiting().length > 0}>
          <li class="attention-you">
            <Mark status="you" />
            <p>
              <Decisions channels={waiting()} />
            </p>
            <A class="button button-secondary button-small" href={reviewPath(props.parts, waiting())}>
              Review
            </A>
          </li>
        </Show>
        <For each={failing().slice(0, WEBHOOKS_MAX)}>
          {channel => (
            <li>
              <Mark status="error" />
              <p>
                <b>
                  The webhook of <bdi>{channel.name}</bdi> is failing.
                </b>{' '}
                {formatNumber(channel.webhook?.failed ?? 0)} of the last{' '}
                {formatNumber(channel.webhook?.of ?? 0)} deliveries failed.
              </p>
              <A
                class="button button-secondary button-small"
                href={`/dashboard/channels/${channel.id}/log?status=failed`}
                aria-label={`Open log of ${channel.name}`}
              >
                Open log
              </A>
            </li>
          )}
        </For>
        <Show when={more() > 0}>
          <li>
            <Mark status="error" />
            <p>{countOf(more(), 'more webhook is', 'more webhooks are')} failing.</p>
            <A class="button button-secondary button-small" href="/?show=failing">
              Show all
            </A>
          </li>
        </Show>
      </ul>
    </Show>
  )
}

function Decisions(props: { channels: SummarizedChannel[] }): JSX.Element {
  const count = () => props.channels.reduce((sum, { needs_you }) => sum + needs_you, 0)
  const others = () => props.channels.length - NAMED_MAX
  return (
    <>
      <b>{count() === 1 ? '1 decision needs you' : `${formatNumber(count())} decisions need you`}</b> in{' '}
      <For each={props.channels.slice(0, NAMED_MAX)}>
        {(channel, index) => (
          <>
            {index() > 0 && (others() > 0 ? ', ' : ' and ')}
            <bdi>{channel.name}</bdi>
          </>
        )}
      </For>
      {others() > 0 && ` and ${formatNumber(others())} more`}.
    </>
  )
}

/** The cards that wait: of the channel, or of the first channel in its workspace if several wait. */
function reviewPath(parts: Part[], waiting: SummarizedChannel[]): string {
  const [first] = waiting
  if (first && waiting.length === 1) return `/c/${first.id}?show=you`
  const part = parts.find(({ channels }) => channels.some(({ id }) => id === first?.id))
  return part ? `/w/${part.workspace.slug}?channel=${first?.id}&show=you` : '/'
}
