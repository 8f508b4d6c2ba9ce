// The events of a channel, as they happen.
import type { EventSourceMessage } from 'eventsource-parser'
import type { Card, DeletedCard } from '../shared/card.ts'
import type { FullDecision } from '../shared/decision.ts'
import type { ListedInteraction } from '../shared/interaction.ts'
import { connectionLost } from './http.ts'
import type { Requester } from './requester.ts'
import { backoff, isPassing, pause } from './retry.ts'

const PAUSE_MAX_MS = 30_000
/** The service sends a comment every 15 s, so a longer silence means that the connection is dead. */
const SILENCE_MS = 45_000

const TYPES = [
  'card.inserted',
  'card.updated',
  'card.deleted',
  'decision.waiting',
  'decision.decided',
  'decision.expired',
  'decision.cancelled',
  'interaction.created',
  'reset',
] as const
type EventType = (typeof TYPES)[number]

type EventOf<T extends EventType, D> = { type: T; data: D; id: string }

/** `reset`: events are missing, because `since` was too old. Read the channel again. */
export type ChannelEvent =
  | EventOf<'card.inserted' | 'card.updated', Card>
  | EventOf<'card.deleted', DeletedCard>
  | EventOf<Extract<EventType, `decision.${string}`>, FullDecision>
  | EventOf<'interaction.created', ListedInteraction>
  | EventOf<'reset', Record<string, never>>

export type EventOptions = {
  /** The id of the last event that was handled. */
  since?: string
  /** Ends the loop with an error, the signal's reason. */
  signal?: AbortSignal
}

/** Goes on where it was after a lost connection. Throws what the service refuses, such as a deleted key or channel. */
export async function* followEvents(
  requester: Requester,
  path: string,
  { since, signal }: EventOptions,
): AsyncGenerator<ChannelEvent, void, undefined> {
  let last = since
  let failures = 0
  for (;;) {
    const began = performance.now()
    let retry_after: number | undefined
    try {
      for await (const { id, event, data } of readMessages(requester, path, last, signal)) {
        last = id ?? last
        const type = TYPES.find(known => known === event)
        if (type === undefined || last === undefined) continue
        failures = 0
        yield { type, data: JSON.parse(data), id: last }
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      retry_after = error.retry_after
    }
    if (performance.now() - began > PAUSE_MAX_MS) failures = 0
    await pause(retry_after === undefined ? backoff(failures, PAUSE_MAX_MS) : retry_after * 1_000, signal)
    failures++
  }
}

/** The messages of one connection. The first one has no event: its id is the place where the connection began. */
async function* readMessages(
  requester: Requester,
  path: string,
  last: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const { createParser } = await import('eventsource-parser')
  const controller = new AbortController()
  const stop = () => controller.abort()
  async function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
    const timer = setTimeout(stop, ms)
    return work.finally(() => clearTimeout(timer))
  }
  signal?.throwIfAborted()
  signal?.addEventListener('abort', stop)
  try {
    const headers: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': last }
    const opened = requester.open(path, headers, controller.signal)
    const { body } = await inTime(requester.timeout, opened)
    const reader = body?.getReader() ?? connectionLost()
    const decoder = new TextDecoder()
    const messages: EventSourceMessage[] = []
    const parser = createParser({ onEvent: message => messages.push(message) })
    let opening: string | undefined = ''
    for (;;) {
      const { done, value } = await inTime(SILENCE_MS, reader.read()).catch(connectionLost)
      if (done) return
      const text = decoder.decode(value, { stream: true })
      // The parser drops a message without data.
      if (opening !== undefined) {
        opening += text
        const [first, rest] = opening.split('\n\n', 2)
        if (rest !== undefined) {
          const id = first?.match(/^id: (.+)$/m)?.[1]
          if (id !== undefined) yield { id, data: '' }
          opening = undefined
        }
      }
      parser.feed(text)
      yield* messages.splice(0)
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    controller.abort()
  }
}
