// A network like a phone's before a server: every connection waits a round trip to open, bytes take half of one each
// way, and all connections share the bandwidth. DevTools' own throttling leaves WebSockets out.
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { listenOn } from '../support/ports.ts'

/** What Lighthouse calls "slow 4G". */
export const SLOW_4G = { round_trip_ms: 150, down_bytes_per_s: 1_638_400 / 8, up_bytes_per_s: 750_000 / 8 }

export async function startPhoneNetwork(server_url: string, network = SLOW_4G) {
  const { hostname, port } = new URL(server_url)
  const down = makeLink(network.down_bytes_per_s, network.round_trip_ms / 2)
  const up = makeLink(network.up_bytes_per_s, network.round_trip_ms / 2)
  const open = new Set<Socket>()
  const proxy = createServer({ allowHalfOpen: true }, near => {
    const far = openSocket({ host: hostname, port: Number(port), allowHalfOpen: true })
    for (const socket of [near, far]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => open.delete(socket))
      socket.on('error', () => {
        near.destroy()
        far.destroy()
      })
    }
    // The browser believes it is connected at once, so its first bytes wait for the simulated handshake.
    carry(near, far, up, network.round_trip_ms)
    carry(far, near, down, 0)
  })
  return {
    url: `http://localhost:${await listenOn(proxy)}`,
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => proxy.close(resolve))
    },
  }
}

/** When bytes sent now arrive, at the link's rate (ms). */
type Link = (bytes: number) => number

function makeLink(bytes_per_s: number, delay_ms: number): Link {
  let busy_until = 0
  return bytes => {
    busy_until = Math.max(performance.now(), busy_until) + (bytes / bytes_per_s) * 1000
    return busy_until + delay_ms
  }
}

const PACKET_BYTES = 1_460

/** Delivers pieces in order: each when it has arrived, never before the one in front of it. */
function carry(from: Socket, to: Socket, link: Link, extra_ms: number): void {
  const opened = performance.now() + extra_ms
  const on_the_way: { arrives: number; deliver: () => void }[] = []
  let unloading = false

  function send(bytes: number, deliver: () => void): void {
    on_the_way.push({ arrives: Math.max(link(bytes), opened), deliver })
    if (unloading) return
    unloading = true
    setTimeout(unload, 0)
  }

  function unload(): void {
    while (on_the_way[0] && on_the_way[0].arrives <= performance.now()) on_the_way.shift()?.deliver()
    unloading = on_the_way.length > 0
    if (on_the_way[0]) setTimeout(unload, on_the_way[0].arrives - performance.now())
  }

  from.on('data', chunk => {
    for (let i = 0; i < chunk.length; i += PACKET_BYTES) {
      const packet = chunk.subarray(i, i + PACKET_BYTES)
      send(packet.length, () => to.writable && to.write(packet))
    }
  })
  from.on('end', () => send(0, () => to.end()))
}
