// Brings what viewers do to the server: in order for each channel, each exactly once, also after a reload or without
// a network. One tab sends at a time. Where two did (a browser without locks), the server tells a repeated
// `interaction_id`, and neither sends the next act before the one ahead of it was taken.
import { createSignal } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import { ChannelFeedError, ConnectionError } from '../../../client/errors.ts'
import type { DeliveryStatus } from '../../../shared/delivery.ts'
import { delayFor } from '../../lib/reconnect.ts'
import { fetchDeliveryStatus, redeliver, sendInteraction } from '../client.ts'
import {
  type Act,
  afterAttempt,
  isForgettable,
  type Progress,
  pauseLeft,
  type Waiting,
  withProgress,
} from './interaction.ts'
import { makeActStore } from './interaction-store.ts'
import { keepLastActs, takeLastActs } from './last-interactions.ts'

export type Outbox = ReturnType<typeof createOutbox>

/** The webhook has 10 s, and those before it in the channel as long: after this we no longer look. */
const LOOK_MS = 60_000
/** A reply that went well is shown for so long. */
const REPLY_SHOWN_MS = 6_000

export function createOutbox() {
  const store = makeActStore()
  const tabs = new BroadcastChannel('channel-feed-acts')
  const [kept, setKept] = createStore<{ acts: Act[] }>({ acts: [] })
  const [ready, setReady] = createSignal(false)
  /** Done here a moment ago, and not written down yet. */
  const unwritten = new Map<string, Act>()
  const looking = new Set<string>()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | null = null
  let again = false
  /** The page is about to go: nothing that waits for IndexedDB is done any more. */
  let leaving = false

  tabs.onmessage = refresh
  window.addEventListener('online', wake)
  window.addEventListener('pagehide', () => {
    leaving = true
    keepLast()
  })
  window.addEventListener('pageshow', () => {
    leaving = false
  })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake())
  start()

  async function start(): Promise<void> {
    const written = new Set((await store.readAll()).map(act => act.interaction_id))
    for (const act of takeLastActs()) if (!written.has(act.interaction_id)) await store.add(act)
    await refresh()
    setReady(true)
    const old = kept.acts.filter(act => isForgettable(act, Date.now()) || isDoneReply(act))
    for (const { interaction_id } of old) await forget(interaction_id)
    wake()
  }

  /** The acts as all tabs have them. */
  async function refresh(): Promise<void> {
    const written = await store.readAll()
    for (const { interaction_id } of written) unwritten.delete(interaction_id)
    show([...written, ...unwritten.values()])
    for (const act of kept.acts)
      if (act.progress.state === 'sent' && act.progress.awaiting) lookForDelivery(act)
  }

  function show(acts: Act[]): void {
    setKept('acts', reconcile(structuredClone(acts), { key: 'interaction_id' }))
  }

  /** Shows at once, and goes out as soon as it can. */
  async function add(act: Act): Promise<void> {
    unwritten.set(act.interaction_id, act)
    // A field that is left with the page speaks up only now.
    if (leaving) keepLast()
    show([...unwrap(kept.acts), act])
    await store.add(act)
    await tell()
    wake()
  }

  function keepLast(): void {
    keepLastActs([...unwritten.values()])
  }

  async function move(interaction_id: string, progress: Progress): Promise<void> {
    await store.update(interaction_id, act => withProgress(act, progress))
    await tell()
  }

  /** Dismissed by the viewer, or long done. */
  async function forget(interaction_id: string): Promise<void> {
    await store.update(interaction_id, () => null)
    await tell()
  }

  async function tell(): Promise<void> {
    tabs.postMessage('changed')
    await refresh()
  }

  /** Sends what waits, now: there is a connection, or access, or something new. */
  function wake(): void {
    clearTimeout(timer)
    if (sending) {
      again = true
      return
    }
    sending = oneTabAtATime(sendAll).finally(() => {
      sending = null
      if (!again) return
      again = false
      wake()
    })
  }

  async function sendAll(): Promise<void> {
    await refresh()
    const channels = new Set(kept.acts.filter(isWaiting).map(act => act.channel_id))
    const ended = await Promise.all([...channels].map(sendChannel))
    const tried = ended.filter(end => end !== 'paused')
    const failed = tried.includes('again') || tried.includes('pause')
    if (tried.length > 0) failures = failed ? failures + 1 : 0
    const pauses = kept.acts.map(act => pauseLeft(act.progress, Date.now())).filter(left => left > 0)
    if (ended.includes('again')) pauses.push(delayFor(failures - 1, Math.random()))
    if (pauses.length > 0) timer = setTimeout(wake, Math.min(...pauses))
  }

  /** `pause`: the server asks for one now; `paused`: one from before is not over. */
  async function sendChannel(channelId: string): Promise<'done' | 'again' | 'hold' | 'pause' | 'paused'> {
    for (;;) {
      const act = kept.acts.find(act => isWaiting(act) && act.channel_id === channelId)
      if (!act) return 'done'
      const { progress } = unwrap(act)
      if (progress.state === 'waiting' && pauseLeft(progress, Date.now()) > 0) {
        // What was done during the pause waits with the rest.
        await holdUp(channelId, progress)
        return 'paused'
      }
      const ended = await sendOne(act)
      if (ended !== 'taken' && ended !== 'refused') return ended
    }
  }

  async function sendOne({ interaction_id, channel_id, body }: Act) {
    if (!body) throw new Error('an act that waits has a body')
    try {
      await sendInteraction(channel_id, unwrap(body))
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      const after = afterAttempt(error.status, error.message, error.retry_after && error.retry_after * 1_000)
      switch (after.next) {
        case 'refused':
          await move(interaction_id, { state: 'refused', reason: after.reason })
          return after.next
        case 'pause': {
          // Each failure in a row makes it longer, so that many viewers do not come back in step.
          const ms = Math.max(after.ms, delayFor(failures, Math.random()))
          await holdUp(channel_id, { state: 'waiting', trouble: 'limited', until: Date.now() + ms })
          return after.next
        }
        default:
          await holdUp(channel_id, { state: 'waiting', trouble: after.trouble })
          return after.next
      }
    }
    await move(interaction_id, { state: 'sent', awaiting: true })
    return 'taken' as const
  }

  /** All that waits in a channel waits for the first. */
  async function holdUp(channelId: string, waiting: Waiting): Promise<void> {
    const held = kept.acts.filter(act => isWaiting(act) && act.channel_id === channelId)
    const news = held.filter(({ progress }) => !isSame(progress, waiting))
    for (const { interaction_id } of news)
      await store.update(interaction_id, act => withProgress(act, waiting))
    if (news.length > 0) await tell()
  }

  /** Asks how the webhook fares until that is known. Every tab does: the one that sent may be closed meanwhile. */
  async function lookForDelivery({ interaction_id, channel_id }: ActKey): Promise<void> {
    if (looking.has(interaction_id)) return
    looking.add(interaction_id)
    const progress = await outcome(channel_id, interaction_id)
    looking.delete(interaction_id)
    await move(interaction_id, progress)
    const act = kept.acts.find(act => act.interaction_id === interaction_id)
    if (act && isDoneReply(act)) setTimeout(forget, REPLY_SHOWN_MS, interaction_id)
  }

  async function outcome(channelId: string, interactionId: string): Promise<Progress> {
    const end = Date.now() + LOOK_MS
    for (let attempt = 0; Date.now() < end; attempt++) {
      const { status, error } = await fetchDeliveryStatus(channelId, interactionId).catch(passingTrouble)
      if (status === 'success') return { state: 'delivered' }
      if (status === 'failed') return { state: 'failed', reason: error ?? 'no reason was given' }
      if (status === 'held') return { state: 'held' }
      if (status === 'none') return { state: 'sent', awaiting: false }
      await new Promise(resolve => setTimeout(resolve, delayFor(attempt, 0.5)))
    }
    return { state: 'sent', awaiting: false }
  }

  /** The owner's. What cannot be asked for again is told as the reason. */
  async function retryDelivery({ interaction_id, channel_id }: ActKey): Promise<void> {
    try {
      await redeliver(channel_id, interaction_id)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      await move(interaction_id, { state: 'failed', reason: error.message })
      return
    }
    await move(interaction_id, { state: 'sent', awaiting: true })
  }

  return {
    /** Oldest first. */
    acts: () => kept.acts,
    /** Whether what earlier visits left is among `acts`. */
    ready,
    /** How many have not reached the server. */
    waiting: () => kept.acts.filter(isWaiting).length,
    add,
    forget,
    retryDelivery,
    wake,
  }
}

type ActKey = Pick<Act, 'interaction_id' | 'channel_id'>

function isWaiting({ progress }: Act): boolean {
  return progress.state === 'waiting'
}

function isSame(one: Progress, other: Waiting): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Nothing on the page but a note shows a reply: it goes once all is well. */
function isDoneReply({ type, progress }: Act): boolean {
  return (
    type === 'reply' && (progress.state === 'delivered' || (progress.state === 'sent' && !progress.awaiting))
  )
}

/** What a refused viewer may not know, counts as no webhook; the rest will pass. */
function passingTrouble(error: unknown): DeliveryStatus {
  if (error instanceof ConnectionError) return { status: 'pending', error: null }
  if (!(error instanceof ChannelFeedError)) throw error
  const { next } = afterAttempt(error.status, error.message, error.retry_after && error.retry_after * 1_000)
  return { status: next === 'again' || next === 'pause' ? 'pending' : 'none', error: null }
}

/** Locks exist on https and localhost only, and are refused where somebody allows sites no storage. */
async function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = navigator.locks
  if (!locks) return work()
  try {
    await locks.request('channel-feed-acts', work)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error
    await work()
  }
}
