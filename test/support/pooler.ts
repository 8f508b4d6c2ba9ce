// A pooler in transaction mode, as pgbouncer is by default: a client has one of the server's sessions for a transaction, and
// prepared statements stay behind in it. It knows no passwords and no encryption.
import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { listenOn } from './ports.ts'
import { type PostgresMessage, PostgresMessages, writeMessage } from './postgres-messages.ts'

const SSL_REQUEST = 80877103
const CANCEL_REQUEST = 80877102
/** The startup parameters that pgbouncer knows. */
const KNOWN = 'user database client_encoding datestyle timezone application_name'.split(' ')

/** Which of its free sessions the pooler takes: the one that became free last, the one that has been free longest. */
type Choice = 'newest' | 'oldest'
/** What a client needs of the pooler. `startup`: the message with which it introduced itself. */
type Desk = {
  refusedOf(names: string[]): string | undefined
  poolFor(startup: Buffer): Pool
  cancel(key: Buffer): void
}
export type Pooler = Awaited<ReturnType<typeof startPooler>>

/** `size`: sessions for each kind of client. `strict`: refuses unknown startup parameters, as pgbouncer does. */
export type PoolerOptions = { size?: number; choice?: Choice; strict?: boolean }

/** `socket_path`: PostgreSQL's socket. */
export async function startPooler(
  socket_path: string,
  { size = 4, choice = 'newest', strict = true }: PoolerOptions = {},
) {
  const pools = new Map<string, Pool>()
  const clients = new Set<Client>()
  const server = createServer(socket => {
    const client = new Client(socket, {
      refusedOf: names => (strict ? names.find(name => !KNOWN.includes(name.toLowerCase())) : undefined),
      poolFor(startup) {
        const kind = startup.toString('latin1')
        const pool = pools.get(kind) ?? new Pool(socket_path, startup, size, choice)
        pools.set(kind, pool)
        return pool
      },
      cancel(key) {
        const session = [...clients].find(other => other.key.equals(key))?.session
        const cancelling = connect(socket_path).on('error', () => {})
        if (session) cancelling.end(writeMessage('', CANCEL_REQUEST, session.key))
      },
    })
    clients.add(client)
    socket.once('close', () => clients.delete(client))
  })
  const port = await listenOn(server)
  return {
    port,
    urlOf: (database: string) => `postgres://app@127.0.0.1:${port}/${database}`,
    /** How often a client got another session than the one before. */
    get moves(): number {
      return [...pools.values()].reduce((sum, { moves }) => sum + moves, 0)
    },
    end(): void {
      server.close()
      for (const { socket } of clients) socket.destroy()
      for (const pool of pools.values()) pool.end()
    },
  }
}

class Client {
  readonly socket: Socket
  /** With it, the client may cancel its statement. */
  readonly key = randomBytes(8)
  session: Session | null = null
  last: Session | null = null
  readonly #messages = new PostgresMessages(false)
  readonly #desk: Desk
  #pool: Pool | null = null
  #unsent: Buffer[] = []
  /** Requests whose end the server hasn't reported. */
  #open = 0
  /** Part of a request has been sent. */
  #begun = false

  constructor(socket: Socket, desk: Desk) {
    this.socket = socket
    this.#desk = desk
    socket.on('error', () => {})
    socket.on('data', chunk => {
      for (const message of this.#messages.read(chunk))
        if (this.#pool) this.#request(message)
        else this.#introduce(message)
    })
    socket.once('close', () => {
      this.#pool?.leave(this)
      this.session?.socket.destroy()
    })
  }

  #introduce({ body, bytes }: PostgresMessage): void {
    const code = body.readInt32BE(0)
    if (code === SSL_REQUEST) return void this.socket.write('N')
    if (code === CANCEL_REQUEST) {
      this.#desk.cancel(body.subarray(4))
      return void this.socket.end()
    }
    const words = body.toString('utf8', 4).split('\0')
    const names = words.filter((_, i) => i % 2 === 0 && words[i])
    const refused = this.#desk.refusedOf(names)
    if (refused !== undefined) return this.#refuse(refused)
    this.#messages.typed = true
    this.#pool = this.#desk.poolFor(bytes)
    this.#pool.take(this)
  }

  #refuse(parameter: string): void {
    const fields = ['SFATAL', 'C08P01', `Munsupported startup parameter: ${parameter}`, '']
    this.socket.end(writeMessage('E', ...fields))
  }

  #request({ type, bytes }: PostgresMessage): void {
    if (type === 'X') return void this.socket.destroy()
    const ends = type === 'S' || type === 'Q'
    this.#begun = !ends
    if (ends) this.#open++
    if (this.session) return void this.session.socket.write(bytes)
    this.#unsent.push(bytes)
    if (this.#unsent.length === 1) this.#pool?.take(this)
  }

  /** The first time, it is told what a server tells a new client. */
  give(session: Session): void {
    this.session = session
    if (!this.last) {
      const ready = writeMessage('Z', Buffer.from('I'))
      this.socket.write(Buffer.concat([...session.greeting, writeMessage('K', this.key), ready]))
    }
    this.last = session
    for (const bytes of this.#unsent.splice(0)) session.socket.write(bytes)
    this.#leaveIfDone(true)
  }

  answer({ type, body, bytes }: PostgresMessage): void {
    this.socket.write(bytes)
    if (type !== 'Z') return
    this.#open--
    this.#leaveIfDone(body.toString() === 'I')
  }

  #leaveIfDone(outside_transaction: boolean): void {
    const { session } = this
    if (!session || !outside_transaction || this.#open > 0 || this.#begun) return
    this.session = null
    this.#pool?.free(session)
  }
}

class Pool {
  moves = 0
  readonly #socket_path: string
  readonly #startup: Buffer
  readonly #size: number
  readonly #choice: Choice
  readonly #sessions = new Set<Session>()
  readonly #free: Session[] = []
  readonly #waiting: Client[] = []

  constructor(socket_path: string, startup: Buffer, size: number, choice: Choice) {
    this.#socket_path = socket_path
    this.#startup = startup
    this.#size = size
    this.#choice = choice
  }

  take(client: Client): void {
    this.#waiting.push(client)
    this.#serve()
  }

  leave(client: Client): void {
    const at = this.#waiting.indexOf(client)
    if (at >= 0) this.#waiting.splice(at, 1)
  }

  free(session: Session): void {
    session.client = null
    this.#free.push(session)
    this.#serve()
  }

  end(): void {
    for (const { socket } of this.#sessions) socket.destroy()
  }

  #serve(): void {
    while (this.#waiting.length > 0 && this.#free.length > 0) {
      const client = this.#waiting.shift()
      const session = this.#choice === 'newest' ? this.#free.pop() : this.#free.shift()
      if (!client || !session) return
      if (client.last && client.last !== session) this.moves++
      session.client = client
      client.give(session)
    }
    if (this.#waiting.length > 0 && this.#sessions.size < this.#size) this.#open()
  }

  #open(): void {
    const session = new Session(connect(this.#socket_path), this.#startup, () => this.free(session))
    this.#sessions.add(session)
    session.socket.once('close', () => {
      this.#sessions.delete(session)
      const at = this.#free.indexOf(session)
      if (at >= 0) this.#free.splice(at, 1)
      session.client?.socket.destroy()
      this.#serve()
    })
  }
}

/** A connection to the server. */
class Session {
  readonly socket: Socket
  client: Client | null = null
  key: Buffer = Buffer.alloc(8)
  /** What the server says to a new client. */
  readonly greeting: Buffer[] = []
  #ready = false

  constructor(socket: Socket, startup: Buffer, ready: () => void) {
    this.socket = socket
    const messages = new PostgresMessages(true)
    socket.on('error', () => {})
    socket.on('data', chunk => {
      for (const message of messages.read(chunk)) {
        if (this.#ready) this.client?.answer(message)
        else if (message.type === 'R' || message.type === 'S') this.greeting.push(message.bytes)
        else if (message.type === 'K') this.key = message.body
        else if (message.type === 'Z') {
          this.#ready = true
          ready()
        } else socket.destroy()
      }
    })
    socket.write(startup)
  }
}
