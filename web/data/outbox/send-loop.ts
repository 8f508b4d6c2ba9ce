// Sends the waiting interactions: in order within a channel, in one tab at a time, and again after failures.
import { ChannelFeedError } from '../../../client/errors.ts'
import type { Decision } from '../../../shared/decision.ts'
import { inOneTab } from '../../lib/one-tab.ts'
import { delayFor } from '../../lib/reconnect.ts'
import { sendInteraction } from '../viewer-requests.ts'
import {
  type AfterError,
  afterError,
  type InteractionProgress,
  isWaiting,
  type LocalInteraction,
  pauseLeft,
  type Waiting,
} from './interaction.ts'

/** `pause`: the server asked for a pause now. `paused`: an earlier pause isn't over. */
type ChannelResult = 'done' | 'retry' | 'hold' | 'pause' | 'paused'

/** `refresh` reads the interactions of all tabs, oldest first. */
export function makeSendLoop(target: {
  refresh: () => Promise<void>
  interactions: () => LocalInteraction[]
  setProgress: (interactionIds: string[], progress: InteractionProgress, decision?: Decision) => Promise<void>
}) {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSending = false
  let sendAgain = false

  async function wake(): Promise<void> {
    clearTimeout(timer)
    if (isSending) {
      sendAgain = true
      return
    }
    isSending = true
    try {
      // Without the lock two tabs may send: the server deduplicates.
      await inOneTab('channel-feed-acts', sendAll)
    } finally {
      isSending = false
      if (sendAgain) {
        sendAgain = false
        wake()
      }
    }
  }

  async function sendAll(): Promise<void> {
    await target.refresh()
    const waiting = target.interactions().filter(isWaiting)
    const channels = new Set(waiting.map(({ channel_id }) => channel_id))
    const results = await Promise.all([...channels].map(sendChannel))
    const tried = results.filter(result => result !== 'paused')
    const failed = tried.includes('retry') || tried.includes('pause')
    if (tried.length > 0) failures = failed ? failures + 1 : 0
    const pauses = target.interactions().map(({ progress }) => pauseLeft(progress, Date.now()))
    const waits = pauses.filter(left => left > 0)
    if (results.includes('retry')) waits.push(delayFor(failures - 1, Math.random()))
    if (waits.length > 0) timer = setTimeout(wake, Math.min(...waits))
  }

  async function sendChannel(channelId: string): Promise<ChannelResult> {
    for (;;) {
      const [interaction] = waitingIn(channelId)
      if (!interaction) return 'done'
      const { progress } = interaction
      if (progress.state === 'waiting' && pauseLeft(progress, Date.now()) > 0) {
        await holdChannel(channelId, progress)
        return 'paused'
      }
      const result = await sendOne(interaction)
      if (result !== 'sent' && result !== 'refused') return result
    }
  }

  async function sendOne({ interaction_id, channel_id, body }: LocalInteraction) {
    if (!body) throw new Error('a waiting interaction has a body')
    try {
      const { decision } = await sendInteraction(channel_id, body)
      await target.setProgress([interaction_id], { state: 'sent', awaiting: true }, decision)
      return 'sent' as const
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      const after = afterError(error)
      if (after.next === 'refused') {
        const { next: state, decision, ...why } = after
        await target.setProgress([interaction_id], { state, ...why }, decision)
      } else await holdChannel(channel_id, waitingAfter(after, failures))
      return after.next
    }
  }

  /** The channel's other interactions wait for the first. */
  async function holdChannel(channelId: string, waiting: Waiting): Promise<void> {
    const changed = waitingIn(channelId).filter(({ progress }) => !isEqual(progress, waiting))
    const ids = changed.map(({ interaction_id }) => interaction_id)
    if (ids.length > 0) await target.setProgress(ids, waiting)
  }

  function waitingIn(channelId: string): LocalInteraction[] {
    return target.interactions().filter(item => isWaiting(item) && item.channel_id === channelId)
  }

  return { wake }
}

function waitingAfter(after: Exclude<AfterError, { next: 'refused' }>, failures: number): Waiting {
  if (after.next !== 'pause') return { state: 'waiting', trouble: after.trouble }
  // Repeated failures make the pause longer, so that many viewers don't return all at once.
  const ms = Math.max(after.ms, delayFor(failures, Math.random()))
  return { state: 'waiting', trouble: 'limited', until: Date.now() + ms, ...(after.daily && { daily: true }) }
}

const isEqual = (a: InteractionProgress, b: InteractionProgress) => JSON.stringify(a) === JSON.stringify(b)
