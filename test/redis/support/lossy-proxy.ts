// A proxy between an instance and Redis, which loses, repeats and reorders the messages about channels.
import { once } from 'node:events'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { afterTest } from '../../support/after-test.ts'
import { listenOn } from '../../support/ports.ts'

/** While `lossy` is true, it tampers with messages, which `met` counts. `random`: from 0 up to 1. Stops after the test. */
export async function startLossyProxy(url: string, random: () => number) {
  const port = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  const met = { lost: 0, repeated: 0, late: 0 }
  const server = createServer(client => {
    const upstream = connectTo(port, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream)
    let unread: Buffer = Buffer.alloc(0)
    let held: Buffer | null = null
    upstream.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk])
      for (let end = endOfReply(unread); end !== null; end = endOfReply(unread)) {
        tamper(unread.subarray(0, end))
        unread = unread.subarray(end)
      }
    })

    function tamper(reply: Buffer): void {
      const luck = random()
      const spared = !proxy.lossy || !reply.includes(':channel:') || !reply.includes('\r\nmessage\r\n')
      if (spared || luck > 0.6) client.write(reply)
      else if (luck < 0.2) met.lost++
      else if (luck < 0.4 && !held) {
        met.late++
        held = Buffer.from(reply)
        return
      } else {
        met.repeated++
        client.write(Buffer.concat([reply, reply]))
      }
      if (held) client.write(held)
      held = null
    }
  })
  afterTest(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  })
  const proxy = { url: `redis://127.0.0.1:${await listenOn(server)}`, lossy: false, met }
  return proxy
}

/** Where the first reply (RESP2) in `bytes` ends; null if it is incomplete. */
function endOfReply(bytes: Buffer, from = 0): number | null {
  const line = bytes.indexOf('\r\n', from)
  if (line < 0) return null
  const type = String.fromCharCode(bytes[from] ?? 0)
  const size = Number(bytes.toString('latin1', from + 1, line))
  let end = line + 2
  if (type === '$' && size >= 0) end += size + 2
  if (type === '*') {
    for (let i = 0; i < size; i++) {
      const next = endOfReply(bytes, end)
      if (next === null) return null
      end = next
    }
  }
  return end <= bytes.length ? end : null
}
