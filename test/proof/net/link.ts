// A proxy for TCP or unix sockets that can fail like a network: each direction passes, stalls or drops bytes, and
// connections are reset, refused or sent elsewhere.
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mode, Pipe } from './pipe.ts'
import { PostgresRequests } from './postgres-requests.ts'

const POSTGRES_SOCKET = '.s.PGSQL.5432'
/** In every statement that appends turns to the log. */
const APPEND = 'insert into document_updates'

export type Address = { port: number } | { path: string }
/** `up`: from the client to the server. */
export type Direction = 'up' | 'down'
export type Link = Awaited<ReturnType<typeof startLink>>

/** The socket in the folder of a PostgreSQL. */
export const postgresAt = (socket_dir: string): Address => ({ path: socketOf(socket_dir) })
export const socketOf = (socket_dir: string): string => join(socket_dir, POSTGRES_SOCKET)

/** Listens on a free port, or in a new folder on a unix socket that is named as PostgreSQL's clients expect. */
export async function startLink(to: Address, listen: 'port' | 'socket' = 'port') {
  const socket_dir = listen === 'socket' ? await mkdtemp(join(tmpdir(), 'channel-feed-link-')) : ''
  const open = new Set<Connection>()
  const counts = { opened: 0, refused: 0, reset: 0, dropped_bytes: 0, held_bytes: 0, lost_answers: 0 }
  const modes: Record<Direction, Mode> = { up: { kind: 'pass' }, down: { kind: 'pass' } }
  let target = to
  let refusing = false
  let losing_answers = false

  const server = createServer({ allowHalfOpen: true }, near => {
    near.on('error', () => {})
    if (refusing) {
      counts.refused++
      return reset(near)
    }
    counts.opened++
    const far = connect({ ...optionsOf(target), allowHalfOpen: true })
    const connection: Connection = {
      near,
      up: new Pipe(near, far, modes.up, counts),
      down: new Pipe(far, near, modes.down, counts),
    }
    open.add(connection)
    if (listen === 'socket') loseAnswers(connection)
    else watch(connection)
    const closed = () => {
      if (near.destroyed && far.destroyed) open.delete(connection)
    }
    near.once('close', closed)
    far.once('close', closed)
  })
  if (listen === 'socket') {
    server.listen(join(socket_dir, POSTGRES_SOCKET))
    await once(server, 'listening')
    // PostgreSQL may run as another user, and a standby connects to it too.
    await chmod(socket_dir, 0o755)
    await chmod(join(socket_dir, POSTGRES_SOCKET), 0o777)
  } else {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }

  /** Drops the answer to an append and then resets the connection, while that is asked for. */
  function loseAnswers({ up, down }: Connection): void {
    const requests = new PostgresRequests(APPEND)
    up.onPass = chunk => {
      if (requests.runsIn(chunk) && losing_answers) down.set({ kind: 'drop' })
      return chunk
    }
    down.onDrop = () => {
      if (!losing_answers) return
      counts.lost_answers++
      up.end()
      down.end()
    }
  }

  function watch({ near, up, down }: Connection): void {
    const from_port = near.remotePort ?? 0
    let cut = false
    up.onPass = chunk => {
      const passed = cut ? chunk.subarray(0, 0) : link.onRequest(chunk, from_port)
      cut ||= passed.length < chunk.length
      return passed
    }
    down.onPass = chunk => {
      link.onAnswer(chunk)
      return chunk
    }
  }

  const link = {
    /** Sees everything that passes up a link on a port. If it returns only a part, nothing follows on that connection. */
    onRequest: (chunk: Buffer, _from_port: number) => chunk,
    /** Sees everything that passes down a link on a port, before it leaves. */
    onAnswer: (_chunk: Buffer) => {},
    /** The folder of the socket; empty if the link listens on a port. */
    socket_dir,
    port: listen === 'port' ? portOf(server.address()) : 0,
    /** How much the link has disturbed so far. */
    counts,
    get connections() {
      return open.size
    },
    /** Open connections change too. */
    set(mode: Mode, direction: Direction | 'both' = 'both'): void {
      for (const way of ['up', 'down'] as const) {
        if (direction !== 'both' && direction !== way) continue
        modes[way] = mode
        for (const connection of open) connection[way].set(mode)
      }
    },
    reset(): void {
      for (const { near, up, down } of open) {
        counts.reset++
        up.end()
        down.end()
        reset(near)
      }
    },
    /** Resets new connections until `heal` or `repoint`. Open ones stay. */
    refuse(): void {
      refusing = true
    },
    /** Resets open connections and rejects new ones until `heal` or `repoint`. */
    cut(): void {
      link.refuse()
      link.reset()
    },
    /** For a link to PostgreSQL: whether the answers to appends are lost. */
    loseAnswers(lose: boolean): void {
      losing_answers = lose
      if (!lose) link.heal()
    },
    /** Everything passes again. A connection that lost bytes is reset: no TCP stream loses its middle. */
    heal(): void {
      refusing = false
      losing_answers = false
      for (const { near, up, down } of open) {
        if (!up.lossy && !down.lossy) continue
        counts.reset++
        up.end()
        down.end()
        reset(near)
      }
      link.set({ kind: 'pass' })
    },
    /** Resets open connections and sends new ones to another server. */
    repoint(other: Address): void {
      target = other
      refusing = false
      link.reset()
    },
    async end(): Promise<void> {
      server.close()
      link.reset()
      if (socket_dir) await rm(socket_dir, { recursive: true, force: true })
    },
  }
  return link
}

type Connection = { near: Socket; up: Pipe; down: Pipe }

const optionsOf = (address: Address): NetConnectOpts =>
  'path' in address ? address : { port: address.port, host: '127.0.0.1', noDelay: true }

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || !address) throw new Error('a listening server has an address')
  return address.port
}

/** With a TCP reset where there is one. */
function reset(socket: Socket): void {
  if (socket.remotePort === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
