// The outbox: sends interactions until the server confirms them (it deduplicates repeats), in order within a channel, even
// after a reload or without a network. Then it follows the webhook's delivery. All tabs show the same interactions.
import { createSignal } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import { saveInTab, takeFromTab } from '../local-copy/tab-storage.ts'
import { makeDeliveries } from './delivery-outcome.ts'
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
  const saveIfUnloading = makeUnloadSaver(unwritten)
  const { wake } = makeSendLoop({ refresh, interactions: () => unwrap(saved.list), setProgress })
  const deliveries = makeDeliveries(showOutcome)

  tabs.onmessage = refresh
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake())
  start()

  async function start(): Promise<void> {
    const written = new Set((await store.readAll()).map(({ interaction_id }) => interaction_id))
    for (const interaction of takeFromTab<LocalInteraction[]>(IN_TAB) ?? [])
      if (!written.has(interaction.interaction_id)) await store.add(interaction)
    await refresh()
    setReady(true)
    const old = saved.list.filter(item => isExpired(item, Date.now()) || isFinishedReply(item))
    for (const { interaction_id } of old) await remove(interaction_id)
    wake()
  }

  async function refresh(): Promise<void> {
    const written = await store.readAll()
    for (const { interaction_id } of written) unwritten.delete(interaction_id)
    show([...written, ...unwritten.values()])
    for (const interaction of saved.list.filter(isAwaiting)) deliveries.follow(interaction)
  }

  function show(list: LocalInteraction[]): void {
    setSaved('list', reconcile(structuredClone(list), { key: 'interaction_id' }))
  }

  async function add(interaction: LocalInteraction): Promise<void> {
    unwritten.set(interaction.interaction_id, interaction)
    saveIfUnloading()
    show([...unwrap(saved.list), interaction])
    await store.add(interaction)
    await publish()
    wake()
  }

  async function setProgress(interactionIds: string[], progress: Progress): Promise<void> {
    for (const id of interactionIds)
      await store.update(id, interaction => withProgress(interaction, progress))
    await publish()
  }

  async function remove(interaction_id: string): Promise<void> {
    await store.update(interaction_id, () => null)
    await publish()
  }

  async function publish(): Promise<void> {
    tabs.postMessage('changed')
    await refresh()
  }

  async function showOutcome(interactionId: string, progress: Progress): Promise<void> {
    await setProgress([interactionId], progress)
    const interaction = saved.list.find(({ interaction_id }) => interaction_id === interactionId)
    if (interaction && isFinishedReply(interaction)) setTimeout(remove, REPLY_VISIBLE_MS, interactionId)
  }

  return {
    interactions: () => saved.list,
    /** Whether `interactions` includes those of earlier visits. */
    ready,
    waiting: () => saved.list.filter(isWaiting).length,
    add,
    remove,
    retryDelivery: deliveries.retry,
    wake,
  }
}

/** Saves `unwritten` when the page unloads, and when a field sends a change because the page unloads. */
function makeUnloadSaver(unwritten: Map<string, LocalInteraction>): () => void {
  let isUnloading = false
  const save = () => {
    if (isUnloading && unwritten.size > 0) saveInTab(IN_TAB, [...unwritten.values()])
  }
  window.addEventListener('pagehide', () => {
    isUnloading = true
    save()
  })
  window.addEventListener('pageshow', () => (isUnloading = false))
  return save
}
