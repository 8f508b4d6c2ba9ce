// The owner's workspace page, open on every instance: which counts of cards it shows, and when.
import { WebSocket } from 'ws'
import { type JsonLines, now } from '../records.ts'
import type { Scene } from './scene.ts'

/** A line of live.jsonl. `counts`: of the channels that a message names. `joins`: the page has connected, perhaps to another instance. */
export type Counted = { at: number; instance: number; counts: Record<string, number>; joins?: true }

const RETRY_MS = 200

/** Returns the counts that each page shows now, and the function that ends it. */
export function watchPages({ urls, slug, cookie }: Scene, lines: JsonLines<Counted>) {
  const shown = urls.map((): Record<string, number> => ({}))
  let ended = false
  for (const [instance, url] of urls.entries()) {
    const join = () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/live/workspaces/${slug}`, {
        headers: { Cookie: cookie },
      })
      socket.on('open', () => lines.write({ at: now(), instance, counts: {}, joins: true }))
      socket.on('message', (bytes: Buffer) => {
        const counts = countsIn(JSON.parse(bytes.toString()))
        Object.assign(shown[instance] ?? {}, counts)
        if (Object.keys(counts).length > 0) lines.write({ at: now(), instance, counts })
      })
      socket.on('error', () => {})
      socket.on('close', () => ended || setTimeout(join, RETRY_MS))
    }
    join()
  }
  return {
    shown,
    end(): Promise<void> {
      ended = true
      return lines.end()
    },
  }
}

function countsIn(message: { type: string; channels?: Record<string, { card_count: number }> }) {
  if (message.type !== 'activity') return {}
  const channels = Object.entries(message.channels ?? {})
  return Object.fromEntries(channels.map(([id, { card_count }]) => [id, card_count]))
}
