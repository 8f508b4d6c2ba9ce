// Posts cards over keep-alive connections: one after another, at a steady rate, or a given number.
// Runs in a process of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { badgeCardJson, cardJson, now, stampOffset, statusBlockId, writeStamp } from '../card.ts'
import { Latencies } from '../latencies.ts'
import { type HttpConnection, httpRequest, openHttp } from './http.ts'
import { serveCalls } from './remote.ts'

export type Posted = { cards: number; seconds: number; latencies: [number, number][] }
export type Poster = typeof functions

const mostCards = 2_000_000
const variants = ['default', 'success', 'warning', 'error', 'info', 'pending']

let connections: HttpConnection[] = []
let headers: Record<string, string> = {}

const functions = {
  async open(options: { port: number; headers: Record<string, string>; connections: number }): Promise<void> {
    headers = options.headers
    connections = await Promise.all(Array.from({ length: options.connections }, () => openHttp(options.port)))
  },

  /** Every connection posts its next card after the response to the last. */
  closedLoop: ({ paths, seconds }: { paths: string[]; seconds: number }): Promise<Posted> => {
    const end = now() + seconds * 1e6
    return postAll(paths, mostCards, () => (now() < end ? 'now' : 'end'))
  },

  /** That many cards in all, the paths in turn. */
  count: ({ paths, cards }: { paths: string[]; cards: number }): Promise<Posted> =>
    postAll(paths, Math.min(cards, mostCards), () => 'now'),

  /** Posts `rate` cards a second, independent of responses; late ones follow as connections become free. */
  pace: ({ paths, rate, seconds }: { paths: string[]; rate: number; seconds: number }): Promise<Posted> => {
    const begin = now()
    const end = begin + seconds * 1e6
    return postAll(paths, Math.min(Math.ceil(rate * seconds), mostCards), async card => {
      const due = begin + (card / rate) * 1e6
      while (now() < due - 500) await delay(Math.max(1, (due - now()) / 1000))
      return now() < end ? 'now' : 'end'
    })
  },

  /** Patches one badge of one new card, one patch after another. */
  async patchBadge({ path, patches }: { path: string; patches: number }): Promise<Posted> {
    const [connection] = connections
    if (!connection) throw new Error('open comes first')
    const created = await connection.send(httpRequest('POST', path, headers, badgeCardJson))
    const { id } = z.object({ id: z.string() }).parse(JSON.parse(String(created.body)))
    const latencies = new Latencies()
    const begin = now()
    for (let i = 0; i < patches; i++) {
      const patch = { label: `step ${i}`, variant: variants[i % variants.length] }
      const body = JSON.stringify({ blocks: [{ id: statusBlockId, patch }] })
      await timed(connection, httpRequest('PATCH', `${path}/${id}`, headers, body), 200, latencies)
    }
    return { cards: patches, seconds: (now() - begin) / 1e6, latencies: latencies.entries() }
  },
}

type Gate = (card: number) => 'now' | 'end' | Promise<'now' | 'end'>

async function postAll(paths: string[], most: number, gate: Gate): Promise<Posted> {
  const latencies = new Latencies()
  const begin = now()
  let started = 0
  let done = 0
  await Promise.all(
    connections.map(async connection => {
      const requests = paths.map(path => httpRequest('POST', path, headers, cardJson))
      const offsets = requests.map(stampOffset)
      while (started < most) {
        const card = started++
        if ((await gate(card)) === 'end') return
        const at = card % paths.length
        const request = requests[at] ?? Buffer.alloc(0)
        writeStamp(request, offsets[at] ?? 0, now())
        await timed(connection, request, 201, latencies)
        done += 1
      }
    }),
  )
  return { cards: done, seconds: (now() - begin) / 1e6, latencies: latencies.entries() }
}

async function timed(connection: HttpConnection, request: Buffer, expected: number, latencies: Latencies) {
  const begin = now()
  const { status, body } = await connection.send(request)
  if (status !== expected) throw new Error(`answered ${status}: ${body}`)
  latencies.add(now() - begin)
}

serveCalls(functions)
