// The outbox: sends every interaction to the server exactly once, in order within a channel, even after a reload or
// without a network. Then it follows the webhook's delivery. All tabs show the same interactions.
import { createSignal } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import { ChannelFeedError } from '../../../client/errors.ts'
import { redeliver } from '../client.ts'
import { saveInTab, takeFromTab } from '../local-copy/tab-storage.ts'
import { waitForOutcome } from './delivery-outcome.ts'
import {
  isAwaiting,
  isExpired,
  isFinishedReply,
  isWaiting,
  type LocalInteraction,
  type Progress,
  withProgress,
} from './interaction.ts'
import { makeInteractionStore } from './interaction-store.ts'
import { makeSendLoop } from './send-loop.ts'

export type Outbox = ReturnType<typeof createOutbox>

type Ids = Pick<LocalInteraction, 'interaction_id' | 'channel_id'>

const REPLY_VISIBLE_MS = 6_000
/** Browsers already hold interactions under this key of the tab's storage. */
const IN_TAB = 'acts'

export function createOutbox() {
  const store = makeInteractionStore()
  const tabs = new BroadcastChannel('channel-feed-acts')
  const [saved, setSaved] = createStore<{ list: LocalInteraction[] }>({ list: [] })
  const [ready, setReady] = createSignal(false)
  /** Added here, and not in IndexedDB yet. */
  const unwritten = new Map<string, LocalInteraction>()
  const following = new Set<string>()
  let isUnloading = false
  const { wake } = makeSendLoop({ refresh, interactions: () => unwrap(saved.list), setProgress })

  tabs.onmessage = refresh
  window.addEventListener('online', wake)
  window.addEventListener('pagehide', () => {
    isUnloading = true
    saveUnwritten()
  })
  window.addEventListener('pageshow', () => {
    isUnloading = false
  })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake())
  start()

  async function start(): Promise<void> {
    const written = new Set((await store.readAll()).map(one => one.interaction_id))
    for (const one of takeFromTab<LocalInteraction[]>(IN_TAB) ?? [])
      if (!written.has(one.interaction_id)) await store.add(one)
    await refresh()
    setReady(true)
    const old = saved.list.filter(one => isExpired(one, Date.now()) || isFinishedReply(one))
    for (const { interaction_id } of old) await remove(interaction_id)
    wake()
  }

  async function refresh(): Promise<void> {
    const written = await store.readAll()
    for (const { interaction_id } of written) unwritten.delete(interaction_id)
    show([...written, ...unwritten.values()])
    for (const one of saved.list) if (isAwaiting(one)) followDelivery(one)
  }

  function show(list: LocalInteraction[]): void {
    setSaved('list', reconcile(structuredClone(list), { key: 'interaction_id' }))
  }

  /** Appears at once, and is sent as soon as possible. */
  async function add(interaction: LocalInteraction): Promise<void> {
    unwritten.set(interaction.interaction_id, interaction)
    // A field that loses the focus because the page unloads sends its change only now.
    if (isUnloading) saveUnwritten()
    show([...unwrap(saved.list), interaction])
    await store.add(interaction)
    await publish()
    wake()
  }

  function saveUnwritten(): void {
    if (unwritten.size > 0) saveInTab(IN_TAB, [...unwritten.values()])
  }

  async function setProgress(interactionIds: string[], progress: Progress): Promise<void> {
    for (const id of interactionIds) await store.update(id, one => withProgress(one, progress))
    await publish()
  }

  /** Dismissed by the viewer, or done long ago. */
  async function remove(interaction_id: string): Promise<void> {
    await store.update(interaction_id, () => null)
    await publish()
  }

  async function publish(): Promise<void> {
    tabs.postMessage('changed')
    await refresh()
  }

  /** Every tab follows: the tab that sent may be closed. */
  async function followDelivery({ interaction_id, channel_id }: Ids): Promise<void> {
    if (following.has(interaction_id)) return
    following.add(interaction_id)
    const progress = await waitForOutcome(channel_id, interaction_id)
    following.delete(interaction_id)
    await setProgress([interaction_id], progress)
    const interaction = saved.list.find(one => one.interaction_id === interaction_id)
    if (interaction && isFinishedReply(interaction)) setTimeout(remove, REPLY_VISIBLE_MS, interaction_id)
  }

  /** For the channel's owner. An error becomes the reason of the failure. */
  async function retryDelivery({ interaction_id, channel_id }: Ids): Promise<void> {
    try {
      await redeliver(channel_id, interaction_id)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      return setProgress([interaction_id], { state: 'failed', reason: error.message })
    }
    await setProgress([interaction_id], { state: 'sent', awaiting: true })
  }

  return {
    /** Oldest first. */
    interactions: () => saved.list,
    /** Whether `interactions` includes those of earlier visits. */
    ready,
    /** How many the server hasn't stored. */
    waiting: () => saved.list.filter(isWaiting).length,
    add,
    remove,
    retryDelivery,
    wake,
  }
}
