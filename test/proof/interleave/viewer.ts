// A viewer: a Yjs document that joins an instance, and joins the next one when its socket closes.
import * as Y from 'yjs'
import { ViewerSocket } from '../../../server/feed/viewers/viewers.ts'
import { CLOSE_LOST_TIMELINE } from '../../../shared/close-codes.ts'
import { hello, readSync } from '../../bench/load/dialects.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import type { Instance } from './instance.ts'
import { INSTANCES } from './plan.ts'
import { instanceAt, type Scene, turnKey } from './scene.ts'
import { type Received, ServerSocket } from './socket.ts'

const NOT_CLEAN = 1006
const LEAVES = 1005
/** A socket's readyState. */
const CLOSED = 3

type Connection = { instance: Instance; socket: ServerSocket; inbox: Inbox }

export class WatchingDocument {
  readonly name: string
  readonly #scene: Scene
  readonly #number: number
  #doc = new Y.Doc()
  #connection: Connection | null = null

  constructor(scene: Scene, number: number) {
    this.#scene = scene
    this.#number = number
    this.name = `viewer ${number}`
    this.#record()
  }

  get doc(): Y.Doc {
    return this.#doc
  }

  /** Never ends. */
  async watch(first: number): Promise<void> {
    for (let at = first; ; at++) {
      const code = await this.#join(at % INSTANCES)
      if (code === CLOSE_LOST_TIMELINE) this.#startOver()
    }
  }

  /** The instance has crashed. */
  cut(instance: Instance): void {
    const { inbox } = this.#connection ?? {}
    if (this.#connection?.instance !== instance || !inbox) return
    if (!instance.sent) inbox.clear()
    inbox.push({ closed: NOT_CLEAN })
  }

  leave(): void {
    if (!this.#connection) return
    this.#scene.felt.push('leave')
    this.#connection.inbox.clear()
    this.#connection.inbox.push({ closed: LEAVES })
  }

  slow(): void {
    const { socket, instance } = this.#connection ?? {}
    if (!socket || !instance) return
    socket.full = true
    void instance.point(`drains the socket of ${this.name}`).then(() => {
      if (socket.wrote_while_full) this.#scene.felt.push('slow')
      socket.full = false
      instance.run(() => socket.emit('drain'))
    })
  }

  /** Returns the close code. */
  async #join(at: number): Promise<number> {
    const { steps, channel_id } = this.#scene
    await steps.point(`${this.name} joins`)
    const instance = instanceAt(this.#scene, at)
    const inbox = new Inbox()
    const socket = new ServerSocket(received => inbox.push(received))
    this.#connection = { instance, socket, inbox }
    instance.run(() =>
      // @ts-expect-error a viewer uses only these parts of a WebSocket and its stream
      instance.feeds.watch(channel_id, audience => new ViewerSocket(socket, socket, audience)),
    )
    void instance.point(`gets hello of ${this.name}`).then(() => {
      if (socket.readyState === CLOSED) return
      const frames = hello('y-websocket', channel_id, Y.encodeStateVector(this.#doc))
      for (const frame of frames) instance.run(() => socket.emit('message', Buffer.from(frame)))
    })
    for (;;) {
      const received = await inbox.next()
      await steps.point(`${this.name} reads`)
      if ('payload' in received) this.#read(received.payload)
      else return this.#closed(this.#connection, received.closed)
    }
  }

  #read(payload: Uint8Array): void {
    const sync = readSync('y-websocket', payload)
    if (sync) Y.applyUpdate(this.#doc, sync.update)
  }

  #closed({ instance, socket }: Connection, code: number): number {
    this.#connection = null
    socket.readyState = CLOSED
    if (instance.alive) instance.run(() => socket.emit('close', code))
    return code
  }

  #startOver(): void {
    const { seen, channel_id, tick } = this.#scene
    seen.push({ at: tick(), viewer: this.#number, channel_id, kind: 'starts over' })
    this.#doc.destroy()
    this.#doc = new Y.Doc()
    this.#record()
  }

  #record(): void {
    const { seen, channel_id, tick, committed, findings } = this.#scene
    const doc = this.#doc
    doc.on('update', () => {
      const clocks = clocksOf(doc)
      seen.push({
        at: tick(),
        viewer: this.#number,
        channel_id,
        kind: 'shows',
        clocks,
        digest: digestOf(doc),
      })
      for (const [client, clock] of Object.entries(clocks)) {
        const key = turnKey(client, clock)
        if (!committed.has(key))
          findings.push({ promise: 'P5', message: `${this.name} shows ${key}, which is not committed` })
      }
    })
  }
}

/** What a viewer has received and not read yet. */
class Inbox {
  #received: Received[] = []
  #wake = () => {}

  push(received: Received): void {
    this.#received.push(received)
    this.#wake()
  }

  clear(): void {
    this.#received = []
  }

  async next(): Promise<Received> {
    for (;;) {
      const received = this.#received.shift()
      if (received) return received
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
