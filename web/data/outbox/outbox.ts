// The outbox: sends interactions until the server confirms them (it deduplicates repeats), in order within a channel, even
// after a reload or without a network. Then it follows the webhook's delivery. All tabs show the same interactions.
import { createSignal } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import type { Decision } from '../../../shared/decision.ts'
import { connectTabs } from '../../lib/other-tabs.ts'
import { isLeaving } from '../../lib/page-life.ts'
import { painted } from '../../lib/painted.ts'
import { createRequiredContext } from '../../lib/required-context.ts'
import { handOver, takeFromTab } from '../local-copy/tab-storage.ts'
import { makeDeliveries } from './delivery-outcome.ts'
import {
  fromStored,
  type InteractionProgress,
  isAwaiting,
  isExpired,
  isWaiting,
  type LocalInteraction,
  type StoredInteraction,
  withProgress,
} from './interaction.ts'
import { makeInteractionStore } from './interaction-store.ts'
import { makeSendLoop } from './send-loop.ts'

export type Outbox = ReturnType<typeof createOutbox>

/** For every page: interactions go out even if their channel isn't on the screen. */
export const [OutboxContext, useOutbox] = createRequiredContext<Outbox>('OutboxContext')

/** Browsers already hold interactions under this key of the tab's storage. */
const IN_TAB = 'acts'

export function createOutbox() {
  const last = (takeFromTab<StoredInteraction[]>(IN_TAB) ?? []).map(fromStored)
  // The first cards come first.
  const store = makeInteractionStore(painted(), showList)
  const tellTabs = connectTabs('channel-feed-acts', refresh)
  const [saved, setSaved] = createStore<{ list: LocalInteraction[] }>({ list: [] })
  const [ready, setReady] = createSignal(false)
  const unwritten = handOver(IN_TAB, () => (store.unwritten().length > 0 ? store.unwritten() : undefined))
  const sendLoop = makeSendLoop({ refresh, interactions: () => unwrap(saved.list), setProgress })
  const deliveries = makeDeliveries((id, progress) => setProgress([id], progress))

  const started = start()
  /** Sends nothing before `start` has dropped what expired. */
  const wake = () => started.then(sendLoop.wake)
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake())

  async function start(): Promise<void> {
    await store.change(written => stillOpen(written, last))
    await publish()
    setReady(true)
    sendLoop.wake()
  }

  async function refresh(): Promise<void> {
    await store.read()
    showList()
  }

  function showList(): void {
    setSaved('list', reconcile(structuredClone(store.now()), { key: 'interaction_id' }))
    for (const interaction of saved.list.filter(isAwaiting)) deliveries.follow(interaction)
  }

  async function add(interaction: LocalInteraction): Promise<void> {
    const { interaction_id } = interaction
    const adding = store.change(list =>
      list.some(item => item.interaction_id === interaction_id) ? list : [...list, interaction],
    )
    showList()
    if (isLeaving()) unwritten.save()
    await adding
    await publish()
    wake()
  }

  async function setProgress(
    ids: string[],
    progress: InteractionProgress,
    decision?: Decision,
  ): Promise<void> {
    const changed = new Set(ids)
    await store.change(list =>
      list.map(item => (changed.has(item.interaction_id) ? withProgress(item, progress, decision) : item)),
    )
    await publish()
  }

  async function remove(interaction_id: string): Promise<void> {
    await store.change(list => list.filter(item => item.interaction_id !== interaction_id))
    await publish()
  }

  async function publish(): Promise<void> {
    tellTabs('changed')
    await refresh()
  }

  const find = (id: string) => saved.list.find(({ interaction_id }) => interaction_id === id)

  return {
    interactions: () => saved.list,
    /** Whether `interactions` includes those of earlier visits. */
    ready,
    waiting: () => saved.list.filter(isWaiting).length,
    add,
    remove,
    dismiss: makeDismiss(remove, setProgress),
    retryDelivery: deliveries.retry,
    recheckDelivery: (interaction: LocalInteraction) =>
      deliveries.recheck(interaction, () => find(interaction.interaction_id)?.progress),
    wake,
  }
}

/** Those of both lists that aren't over, each once. */
function stillOpen(written: LocalInteraction[], inTab: LocalInteraction[]): LocalInteraction[] {
  const ids = new Set(written.map(({ interaction_id }) => interaction_id))
  const all = [...written, ...inTab.filter(({ interaction_id }) => !ids.has(interaction_id))]
  return all.filter(item => !isExpired(item, Date.now()))
}

type Remove = (interactionId: string) => Promise<void>
type SetProgress = (interactionIds: string[], progress: InteractionProgress) => Promise<void>

/** Takes back what isn't sent yet, or dismisses what has an outcome. */
function makeDismiss(remove: Remove, setProgress: SetProgress) {
  return async ({ interaction_id, decision_id, progress }: LocalInteraction): Promise<void> => {
    // A press whose answer was lost may have decided nevertheless.
    if (decision_id === undefined || progress.state === 'refused') await remove(interaction_id)
    else await setProgress([interaction_id], { state: 'hidden' })
  }
}
