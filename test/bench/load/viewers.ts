// Many viewers in a separate process. They count cards and time them by their stamps;
// none keeps a document.
import { setTimeout as delay } from 'node:timers/promises'
import { now, readStamps } from '../card.ts'
import { Latencies } from '../latencies.ts'
import { type Dialect, hello, keepAlive, readSync } from './dialects.ts'
import { serveCalls } from './remote.ts'
import { openSocket, type ViewerSocket } from './socket.ts'

export type Viewers = typeof functions
export type Seen = {
  /** Cards, summed over all viewers, and what the worst viewer has seen. */
  deliveries: number
  fewest: number
  frames: number
  closed: number
  latencies: [number, number][]
}
export type Place = { path: string; channel_id: string }

const together = 50
const keepAliveTime = 15_000

const sockets: ViewerSocket[] = []
const latencies = new Latencies()
let counts: number[] = []
let since = Number.POSITIVE_INFINITY
let frames = 0
let closed = 0
let leaving = false

/** All viewers get the same frame, so its stamps are read once. */
const recent: { frame: Buffer; stamps: number[] }[] = []

function stampsOf(frame: Buffer): number[] {
  const known = recent.find(entry => entry.frame.equals(frame))
  if (known) return known.stamps
  const stamps = readStamps(frame)
  recent.unshift({ frame: Buffer.from(frame), stamps })
  if (recent.length > 8) recent.pop()
  return stamps
}

function count(viewer: number, frame: Buffer): void {
  const time = now()
  frames += 1
  if (since > time) return
  for (const stamp of stampsOf(frame)) {
    if (stamp < since) continue
    counts[viewer] = (counts[viewer] ?? 0) + 1
    latencies.add(time - stamp)
  }
}

async function join(viewer: number, port: number, place: Place, dialect: Dialect, vector: Uint8Array) {
  const { promise: synced, resolve, reject } = deferred()
  const socket = await openSocket(port, place.path, {
    onMessage(frame) {
      count(viewer, frame)
      if (readSync(dialect, frame)?.first) resolve()
    },
    onClose(reason) {
      if (leaving) return
      closed += 1
      reject(new Error(`closed: ${reason}`))
    },
  })
  sockets.push(socket)
  for (const frame of hello(dialect, place.channel_id, vector)) socket.send(frame)
  const alive = keepAlive(dialect, place.channel_id)
  if (alive)
    setTimeout(() => setInterval(() => socket.send(alive), keepAliveTime), Math.random() * keepAliveTime)
  if (dialect !== 'plain') await synced
}

function deferred(): { promise: Promise<void>; resolve(): void; reject(error: Error): void } {
  let resolve = () => {}
  let reject = (_: Error) => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  promise.catch(() => {})
  return { promise, resolve, reject }
}

const functions = {
  /** Returns the milliseconds until all are in sync. `at_once`: all together, else in small groups. */
  async join(options: {
    port: number
    places: Place[]
    dialect: Dialect
    state_vector: Uint8Array
    at_once: boolean
  }): Promise<number> {
    const { port, places, dialect, state_vector, at_once } = options
    leaving = false
    const first = counts.length
    counts = [...counts, ...places.map(() => 0)]
    const begin = performance.now()
    const group = at_once ? places.length : together
    for (let at = 0; at < places.length; at += group) {
      const joining = places.slice(at, at + group)
      await Promise.all(joining.map((place, i) => join(first + at + i, port, place, dialect, state_vector)))
    }
    return performance.now() - begin
  },

  /** Starts counting cards. */
  reset(_: null): void {
    since = now()
    counts = counts.map(() => 0)
    latencies.clear()
    frames = 0
  },

  /** Resolves with the counts since the reset when every viewer has `cards`, or at the timeout. */
  async seen({ cards, patience }: { cards: number; patience: number }): Promise<Seen> {
    const end = performance.now() + patience * 1000
    while (performance.now() < end && Math.min(...counts) < cards) await delay(20)
    const deliveries = counts.reduce((sum, n) => sum + n, 0)
    const fewest = Math.min(...counts)
    return { deliveries, fewest, frames, closed, latencies: latencies.entries() }
  },

  leave(_: null): void {
    leaving = true
    for (const socket of sockets.splice(0)) socket.close()
    counts = []
  },
}

serveCalls(functions)
