// One viewer with a real Y.Doc in a separate process: joins, applies the updates, and reports how long
// that took.
import * as Y from 'yjs'
import { type Dialect, emptyStateVector, hello, readSync } from './dialects.ts'
import { serveCalls } from './remote.ts'
import { openSocket } from './socket.ts'

export type Reader = typeof functions
export type Joined = {
  /** Milliseconds from before the connection until the last byte, and until it was applied. */
  received_ms: number
  applied_ms: number
  bytes: number
  state_vector: Uint8Array
}

const functions = {
  async join(options: { port: number; path: string; channel_id: string; dialect: Dialect }): Promise<Joined> {
    const { port, path, channel_id, dialect } = options
    const doc = new Y.Doc()
    let bytes = 0
    const begin = performance.now()
    const socket = await new Promise<{ close(): void } & Pick<Joined, 'received_ms'>>((resolve, reject) => {
      const opening = openSocket(port, path, {
        onMessage(frame) {
          const sync = readSync(dialect, frame)
          if (!sync) return
          // The document may come before the response to our state vector.
          bytes += frame.length
          const received_ms = performance.now() - begin
          Y.applyUpdate(doc, sync.update)
          if (!sync.first) return
          opening.then(({ close }) => resolve({ close, received_ms }), reject)
        },
        onClose: reason => reject(new Error(reason)),
      })
      opening.then(({ send }) => {
        for (const frame of hello(dialect, channel_id, emptyStateVector)) send(frame)
      }, reject)
    })
    const applied_ms = performance.now() - begin
    socket.close()
    const { received_ms } = socket
    const state_vector = Y.encodeStateVector(doc)
    doc.destroy()
    return { received_ms, applied_ms, bytes, state_vector }
  },
}

serveCalls(functions)
