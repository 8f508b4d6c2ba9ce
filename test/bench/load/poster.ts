// Posts cards over keep-alive connections: one after another, at a steady rate, or a given number.
// Runs in a process of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { badgeCardJson, badgePatch, cardJson, now, stampOffset, writeStamp } from '../card.ts'
import { Latencies } from '../latencies.ts'
import { type HttpConnection, httpRequest, openHttp } from './http.ts'
import { serveCalls } from './remote.ts'

export type Posted = { done: number; seconds: number; latencies: [number, number][] }
export type Poster = typeof functions
export type Repeated = {
  /** `person`: the headers of a person's request, in place of an automation's. */
  requests: { method: string; path: string; body: string; person?: Record<string, string> }[]
  /** Of every response. */
  status: number
  seconds: number
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
      while (now() < due - 500) await delay(Math.max(1, (due - now()) / 1000))
      return now() < end ? 'now' : 'end'
    })
  },

  /** Posts one card to each path. Resolves with their ids. */
  async cards({ paths }: { paths: string[] }): Promise<string[]> {
    const [connection] = connections
    if (!connection) throw new Error('open comes first')
    const ids: string[] = []
    for (const path of paths) ids.push(await createCard(connection, path))
    return ids
  },

  /** Every connection sends the next of these requests, in turn, after the response to its last. */
  async repeat({ requests, status, seconds }: Repeated): Promise<Posted> {
    const bytes = requests.map(({ method, path, body, person }) =>
      httpRequest(method, path, person ?? headers, body),
    )
    const latencies = new Latencies()
    const begin = now()
    const end = begin + seconds * 1e6
    let sent = 0
    await Promise.all(
      connections.map(async connection => {
        while (now() < end) {
          const request = bytes[sent++ % bytes.length] ?? Buffer.of()
          await timed(connection, request, status, latencies)
        }
      }),
    )
    return { done: sent, seconds: (now() - begin) / 1e6, latencies: latencies.entries() }
  },

  /** Patches one badge of one new card, one patch after another. */
  async patchBadge({ path, patches }: { path: string; patches: number }): Promise<Posted> {
    const [connection] = connections
    if (!connection) throw new Error('open comes first')
    const id = await createCard(connection, path)
    const latencies = new Latencies()
    const begin = now()
    for (let i = 0; i < patches; i++) {
      await timed(connection, httpRequest('PATCH', `${path}/${id}`, headers, badgePatch(i)), 200, latencies)
    }
    return { done: patches, seconds: (now() - begin) / 1e6, latencies: latencies.entries() }
  },
}

/** Resolves with the card's id. */
async function createCard(connection: HttpConnection, path: string): Promise<string> {
  const { body } = await connection.send(httpRequest('POST', path, headers, badgeCardJson))
  return z.object({ id: z.string() }).parse(JSON.parse(String(body))).id
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
