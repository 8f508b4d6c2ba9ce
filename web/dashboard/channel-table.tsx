// The channels of a workspace as a table: last card, what is unread or waits, webhook health, cards, and a menu.
import {
  type Accessor,
  createComputed,
  createEffect,
  createMemo,
  createSignal,
  type JSX,
  on,
  Show,
} from 'solid-js'
import type { CardStatus } from '../../shared/card.ts'
import type { SummarizedChannel } from '../../shared/channel.ts'
import type { WebhookHealth } from '../../shared/channel-summary.ts'
import { copyText } from '../lib/clipboard.ts'
import { formatNumber } from '../lib/format.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { LastCardLine, LastCardTime, UnreadCount, WaitingTag } from '../ui/channel-summary.tsx'
import { IconMore } from '../ui/icons.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { IconLink, IconLog, IconSettings, IconTrash } from '../ui/page-icons.tsx'
import { Mark } from '../ui/status.tsx'
import { showToast } from '../ui/toast.tsx'
import { DANGER_ID } from './anchor.ts'
import { isFailing } from './channel-signs.ts'
import { IconBlocks, IconFeed } from './nav-icons.tsx'
import { KeyedFor } from './row-list.tsx'
import './channel-table.css'

/** `unread`: on this device. */
export type TableChannel = SummarizedChannel & { unread: number }

const ROWS = 20

/** `headings`: the columns have visible ones. Of several tables below each other, only the first one does. */
export function ChannelTable(props: {
  channels: TableChannel[]
  headings: boolean
  none: JSX.Element
}): JSX.Element {
  const [all, setAll] = createSignal(false)
  let body: HTMLTableSectionElement | undefined
  const rows = createMemo(() => (all() ? props.channels : props.channels.slice(0, ROWS)))
  const more = () => props.channels.length - rows().length
  keepFocus(rows)

  /** The button disappears: the first new row gets the focus. */
  function showAll(): void {
    const row = rows().length
    setAll(true)
    body?.rows[row]?.querySelector('a')?.focus()
  }

  return (
    <Show
      when={props.channels.length > 0}
      fallback={<p class="channels-none surface surface-wide">{props.none}</p>}
    >
      <div class="table-box surface surface-wide">
        <table class="grid-table channel-table" classList={{ 'channel-table-plain': !props.headings }}>
          <colgroup>
            <col class="channel-col-name" />
            <col />
            <col class="channel-col-you" />
            <col class="channel-col-hook" />
            <col class="channel-col-cards" />
            <col class="channel-col-more" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Channel</th>
              <th scope="col">Last card</th>
              <th scope="col">For you</th>
              <th scope="col">Webhook</th>
              <th scope="col" class="end">
                Cards
              </th>
              <td>
                <span class="sr-only">Menu</span>
              </td>
            </tr>
          </thead>
          <tbody ref={body}>
            <KeyedFor each={rows()}>{channel => <Row channel={channel()} />}</KeyedFor>
          </tbody>
        </table>
        <Show when={more() > 0}>
          <div class="table-foot">
            <button type="button" class="button button-plain" onClick={showAll}>
              Show {formatNumber(more())} more
            </button>
          </div>
        </Show>
      </div>
    </Show>
  )
}

/** A row that moves in the document loses the focus. */
function keepFocus(rows: Accessor<unknown>): void {
  let before: Element | null = null
  // A computation runs before the list changes, an effect afterwards.
  createComputed(on(rows, () => (before = document.activeElement), { defer: true }))
  createEffect(
    on(
      rows,
      () => {
        if (document.activeElement !== document.body || !before?.isConnected) return
        if (before instanceof HTMLElement) before.focus({ preventScroll: true })
      },
      { defer: true },
    ),
  )
}

function Row(props: { channel: TableChannel }): JSX.Element {
  return (
    <tr>
      <td class="channel-cell-name">
        <a class="row-cover channel-cell-link" href={`/c/${props.channel.id}`}>
          <ChannelIcon icon={props.channel.icon} />
          <span class="cut" dir="auto">
            {props.channel.name}
          </span>
          <Show when={props.channel.mode === 'view'}>
            <span class="channel-cell-mode" title="People can read, not act">
              View only
            </span>
          </Show>
        </a>
      </td>
      <td class="channel-cell-last">
        <span class="channel-last">
          <LastCardLine card={props.channel.last_card} count={props.channel.card_count} />
          <LastCardTime card={props.channel.last_card} />
        </span>
      </td>
      <td class="channel-cell-you">
        <Show when={props.channel.waiting > 0} fallback={<UnreadCount count={props.channel.unread} />}>
          <WaitingTag of={props.channel} />
        </Show>
      </td>
      <td class="channel-cell-hook">
        <Webhook health={props.channel.webhook} failing={isFailing(props.channel)} />
      </td>
      <td class="channel-cell-cards end">
        {formatNumber(props.channel.card_count)}
        <span class="sr-only"> {props.channel.card_count === 1 ? 'card' : 'cards'}</span>
      </td>
      <td class="channel-cell-more">
        <MenuButton
          label={`More about ${props.channel.name}`}
          icon={<IconMore />}
          items={menuOf(props.channel)}
        />
      </td>
    </tr>
  )
}

function Webhook(props: { health: WebhookHealth | null; failing: boolean }): JSX.Element {
  return (
    <Show
      when={props.health}
      fallback={
        <span class="quiet">
          <span aria-hidden="true">–</span>
          <span class="sr-only">No webhook</span>
        </span>
      }
    >
      {health => (
        <span class="hook" classList={{ 'hook-bad': props.failing }}>
          <Mark status={markOf(health(), props.failing)} />
          <span>
            <span class="hook-where">Webhook: </span>
            {healthText(health())}
          </span>
        </span>
      )}
    </Show>
  )
}

function markOf({ failed, of }: WebhookHealth, failing: boolean): CardStatus {
  if (of === 0) return 'default'
  if (failing) return 'error'
  return failed > 0 ? 'warning' : 'success'
}

function healthText({ failed, of }: WebhookHealth): string {
  if (of === 0) return 'Not used yet'
  return failed === 0 ? 'Healthy' : `${formatNumber(failed)} of ${formatNumber(of)} failed`
}

function menuOf({ id }: SummarizedChannel): MenuItem[] {
  const settings = `/dashboard/channels/${id}`
  return [
    { name: 'Open feed', icon: <IconFeed />, does: { href: `/c/${id}` } },
    { name: 'Log', icon: <IconLog />, does: { href: `${settings}/log` } },
    { name: 'Settings', icon: <IconSettings />, does: { href: settings } },
    { name: 'Create a card', icon: <IconBlocks />, does: { href: `/dashboard/builder?channel=${id}` } },
    { name: 'Copy link', icon: <IconLink />, does: { run: () => copyLink(id) } },
    {
      name: 'Delete channel…',
      icon: <IconTrash />,
      danger: true,
      apart: true,
      does: { href: `${settings}#${DANGER_ID}` },
    },
  ]
}

async function copyLink(id: string): Promise<void> {
  const address = `${location.origin}/c/${id}`
  showToast({ words: (await copyText(address)) ? 'Link copied' : `The link is ${address}` })
}
