// Viewers: stock y-websocket clients of both versions and bare ones. They record what they show at every change. Runs
// in a process of its own.
import { join } from 'node:path'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { CLOSE_LOST_TIMELINE } from '../../../shared/close-codes.ts'
import { hello, keepAlive, readSync } from '../../bench/load/dialects.ts'
import { serveCalls } from '../../bench/load/remote.ts'
import type { Watch } from '../plan.ts'
import { type JsonLines, now, writeJsonLines } from '../records.ts'
import { clocksOf, digestOf } from './digest.ts'
import { type Scene, VIEWERS } from './scene.ts'
import { type Handlers, type Target, watchStock } from './stock-viewer.ts'

export type Viewers = typeof functions

/** A line of viewers.jsonl. */
export type Seen = {
  at: number
  viewer: number
  channel_id: string
} /** `digest`: null if the machine is too busy for all of them. Another one follows. */ & (
  | { kind: 'shows'; clocks: Record<string, number>; digest: string | null }
  /** First, so that a viewer that never sees anything is in the file too. */
  | { kind: 'joins' }
  | { kind: 'opened' }
  | { kind: 'closed'; code: number }
  /** Like our app, it drops a document of a lost history and joins again. */
  | { kind: 'starts over' }
)

const RETRY_MS = 500
const KEEP_ALIVE_MS = 15_000

/** Digests take at most half of the time: a viewer must not seem late because another one's digest is made. */
const WINDOW_US = 1_000_000
const DIGESTS_US = WINDOW_US / 2
const budget = { from: 0, spent: 0 }
/** Viewers that lack a digest of what they show. */
const undigested = new Set<number>()
const digesting = setInterval(() => {
  for (const viewer of undigested) if (!isSpent(now())) show(viewer)
}, 100)

const joined: { target: Target; doc: Y.Doc; leave: () => void }[] = []
let lines: JsonLines<Seen>
let scene: Scene

const functions = {
  async open(given: Scene): Promise<void> {
    scene = given
    lines = writeJsonLines(join(scene.folder, VIEWERS))
    for (const [viewer, watch] of scene.plan.watches.entries()) joinChannel(viewer, targetOf(watch))
  },

  join: (newcomer: Watch) => joinChannel(joined.length, targetOf(newcomer)),

  /** The clocks of each viewer's document. */
  clocks: (_: null): { channel_id: string; clocks: Record<string, number> }[] =>
    joined.map(({ target: { channel_id }, doc }) => ({ channel_id, clocks: clocksOf(doc) })),

  /** All viewers, with their documents. */
  leave(_: null): void {
    for (const { leave } of joined) leave()
  },

  comeBack(_: null): void {
    for (const viewer of joined.keys()) connect(viewer)
  },

  close(_: null): Promise<void> {
    clearInterval(digesting)
    return lines.end()
  },
}

function targetOf({ channel, instance, client }: Watch): Target {
  const { urls, channel_ids, api_key: token } = scene
  const base = `${(urls[instance] ?? '').replace('http', 'ws')}/sync`
  return { client, base, channel_id: channel_ids[channel] ?? '', token }
}

function isSpent(at: number): boolean {
  if (at - budget.from > WINDOW_US) Object.assign(budget, { from: at, spent: 0 })
  return budget.spent > DIGESTS_US
}

/** Records what the viewer shows. */
function show(viewer: number): void {
  const own = joined[viewer]
  if (!own) return
  const at = now()
  const [{ channel_id }, clocks] = [own.target, clocksOf(own.doc)]
  const spent = isSpent(at)
  const digest = spent ? null : digestOf(own.doc)
  budget.spent += now() - at
  if (spent) undigested.add(viewer)
  else undigested.delete(viewer)
  lines.write({ at, viewer, channel_id, kind: 'shows', clocks, digest })
}

function joinChannel(viewer: number, target: Target): void {
  const { channel_id } = target
  const doc = new Y.Doc()
  joined[viewer] = { target, doc, leave: () => {} }
  lines.write({ at: now(), viewer, channel_id, kind: 'joins' })
  doc.on('update', () => joined[viewer]?.doc === doc && show(viewer))
  connect(viewer)
}

/** With the document that it has. */
function connect(viewer: number): void {
  const own = joined[viewer]
  if (!own) throw new RangeError(`there is no viewer ${viewer}`)
  const { target, doc } = own
  const { channel_id } = target
  own.leave = watch(target, doc, {
    opened: () => lines.write({ at: now(), viewer, channel_id, kind: 'opened' }),
    closed: code => {
      lines.write({ at: now(), viewer, channel_id, kind: 'closed', code })
      if (code !== CLOSE_LOST_TIMELINE) return
      own.leave()
      lines.write({ at: now(), viewer, channel_id, kind: 'starts over' })
      joinChannel(viewer, target)
    },
  })
}

/** Returns the function that ends it. */
function watch(target: Target, doc: Y.Doc, handlers: Handlers): () => void {
  return target.client === 'bare' ? watchBare(target, doc, handlers) : watchStock(target, doc, handlers)
}

/** Nothing but the protocol: no awareness, no check of liveness, a new connection half a second after the last one. */
function watchBare({ base, channel_id, token }: Target, doc: Y.Doc, handlers: Handlers): () => void {
  let left = false
  let current: WebSocket
  const connect = () => {
    current = new WebSocket(`${base}/${channel_id}?token=${encodeURIComponent(token)}`)
    const socket = current
    const alive = setInterval(() => {
      const frame = keepAlive('y-websocket', channel_id)
      if (frame && socket.readyState === WebSocket.OPEN) socket.send(frame)
    }, KEEP_ALIVE_MS)
    socket.on('open', () => {
      handlers.opened()
      for (const frame of hello('y-websocket', channel_id, Y.encodeStateVector(doc))) socket.send(frame)
    })
    socket.on('message', (bytes: Buffer) => {
      const sync = readSync('y-websocket', bytes)
      if (sync) Y.applyUpdate(doc, sync.update)
    })
    socket.on('error', () => {})
    socket.on('close', code => {
      clearInterval(alive)
      handlers.closed(code)
      if (!left) setTimeout(() => !left && connect(), RETRY_MS)
    })
  }
  connect()
  return () => {
    left = true
    current.terminate()
  }
}

serveCalls(functions)
