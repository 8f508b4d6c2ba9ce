// An event stream per channel and instance, as an automation would listen: it resumes after the last event it has. Runs
// in a process of its own.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serveCalls } from '../../bench/load/remote.ts'
import { type JsonLines, now, writeJsonLines } from '../records.ts'
import { type Counted, watchPages } from './live.ts'
import { keyOf, LIVE, type Scene, STREAMS } from './scene.ts'

export type Streams = typeof functions

/** A line of streams.jsonl. `id`: epoch, seq, index and interaction, see server/routes/event-position.ts. */
export type Heard = {
  at: number
  stream: number
  channel_id: string
  event: string
  id: string
  data: unknown
}

const RETRY_MS = 200

let lines: JsonLines<Heard>
let pages: ReturnType<typeof watchPages>
const latest: { channel_id: string; id: string }[] = []

const functions = {
  /** Resolves when all streams have begun, so that turns carry their events. */
  async open(scene: Scene): Promise<void> {
    const { urls, folder, channel_ids } = scene
    lines = writeJsonLines(join(folder, STREAMS))
    pages = watchPages(scene, writeJsonLines<Counted>(join(folder, LIVE)))
    const begun: Promise<void>[] = []
    for (const channel_id of channel_ids) {
      const api_key = keyOf(scene, channel_id)
      for (const url of urls) {
        const stream = latest.length
        latest.push({ channel_id, id: '' })
        // A stream that never hears anything is in the file too.
        lines.write({ at: now(), stream, channel_id, event: 'joined', id: '', data: null })
        begun.push(new Promise(resolve => void follow(stream, { url, api_key, channel_id }, resolve)))
      }
    }
    await Promise.all(begun)
  },

  /** The last event of each stream. */
  latest: (_: null) => latest,

  /** The counts of cards that each workspace page shows. */
  counts: (_: null) => pages.shown,

  close: (_: null) => Promise.all([lines.end(), pages.end()]),
}

type Target = { url: string; api_key: string; channel_id: string }

async function follow(
  stream: number,
  { url, api_key, channel_id }: Target,
  begun: () => void,
): Promise<void> {
  const mine = latest[stream]
  if (!mine) return
  for (;;) {
    const headers = { Authorization: `Bearer ${api_key}`, ...(mine.id && { 'Last-Event-ID': mine.id }) }
    try {
      const response = await fetch(`${url}/api/v1/channels/${channel_id}/events`, { headers })
      if (response.ok && response.body) {
        for await (const message of messagesOf(response.body)) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? ''
          const id = field('id')
          if (id) mine.id = id
          if (message.startsWith(':')) {
            begun()
            if (id && headers['Last-Event-ID'])
              lines.write({ at: now(), stream, channel_id, event: 'resumed', id, data: null })
            continue
          }
          const [event, data] = [field('event'), JSON.parse(field('data'))]
          lines.write({ at: now(), stream, channel_id, event, id, data })
        }
      }
    } catch {
      // The instance is down or out of reach.
    }
    await delay(RETRY_MS)
  }
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield text.slice(0, end)
      text = text.slice(end + 2)
    }
  }
}

serveCalls(functions)
