// Posts cards over keep-alive connections: one after another, at a steady rate, or a given number.
// Runs in a process of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { badgeCard, badgePatch, cardJson, now, stampOffset, writeStamp } from '../card.ts'
import { Latencies } from '../latencies.ts'
import { type HttpConnection, httpRequest, openHttp } from './http.ts'
import { serveCalls } from './remote.ts'

export type Posted = { done: number; seconds: number; latencies: [number, number][] }
export type Poster = typeof functions
export type Write = {
  method: string
  path: string
  body: string
  /** The headers of a person's request, in place of an automation's. */
  person?: Record<string, string>
}

const mostCards = 2_000_000

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
      await until(due)
      return now() < end ? 'now' : 'end'
    })
  },

  /** Posts one card to each path, as fast as it can. Resolves with their ids. */
  async cards({ paths, body }: { paths: string[]; body: string }): Promise<string[]> {
    const ids: string[] = []
    await sendAll(paths.length, async (connection, i) => {
      ids[i] = await createCard(connection, paths[i] ?? '', body)
    })
    return ids
  },

  /** Sends each write once: `rate` a second independent of responses, or without it as fast as it can. */
  async writes(options: { writes: Write[]; status: number; rate?: number }): Promise<Posted> {
    const { writes, status, rate } = options
    const requests = writes.map(({ method, path, body, person }) =>
      httpRequest(method, path, person ?? headers, body),
    )
    const latencies = new Latencies()
    const begin = now()
    await sendAll(requests.length, async (connection, i) => {
      if (rate !== undefined) await until(begin + (i / rate) * 1e6)
      await timed(connection, requests[i] ?? Buffer.of(), status, latencies)
    })
    return { done: requests.length, seconds: (now() - begin) / 1e6, latencies: latencies.entries() }
  },

  /** Patches one badge of one new card, one patch after another. */
  async patchBadge({ path, patches }: { path: string; patches: number }): Promise<Posted> {
    const [connection] = connections
    if (!connection) throw new Error('open comes first')
    const id = await createCard(connection, path, badgeCard(0))
    const latencies = new Latencies()
    const begin = now()
    for (let i = 0; i < patches; i++) {
      await timed(connection, httpRequest('PATCH', `${path}/${id}`, headers, badgePatch(i)), 200, latencies)
    }
    return { done: patches, seconds: (now() - begin) / 1e6, latencies: latencies.entries() }
  },
}

/** Resolves with the card's id. */
async function createCard(connection: HttpConnection, path: string, card: string): Promise<string> {
  const { body } = await connection.send(httpRequest('POST', path, headers, card))
  return z.object({ id: z.string() }).parse(JSON.parse(String(body))).id
}

/** Calls `send` for 0 to `count` - 1, each on the next connection that is free. */
async function sendAll(count: number, send: (connection: HttpConnection, i: number) => Promise<void>) {
  let next = 0
  await Promise.all(
    connections.map(async connection => {
      while (next < count) await send(connection, next++)
    }),
  )
}

async function until(due: number): Promise<void> {
  while (now() < due - 500) await delay(Math.max(1, (due - now()) / 1000))
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
  return { done, seconds: (now() - begin) / 1e6, latencies: latencies.entries() }
}

async function timed(connection: HttpConnection, request: Buffer, expected: number, latencies: Latencies) {
  const begin = now()
  const { status, body } = await connection.send(request)
  if (status !== expected) throw new Error(`answered ${status}: ${body}`)
  latencies.add(now() - begin)
}

serveCalls(functions)
