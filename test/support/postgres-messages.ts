// Cuts what passes between PostgreSQL and its clients into messages.

/** `type` is empty for a client's first messages, which have none. `body` follows the length. */
export type PostgresMessage = { type: string; body: Buffer; bytes: Buffer }

export class PostgresMessages {
  /** Whether messages begin with their type: all of a server, and those of a client after it has introduced itself. */
  typed: boolean
  #unread: Buffer = Buffer.alloc(0)

  constructor(typed: boolean) {
    this.typed = typed
  }

  /** The messages that are complete with this chunk. A reader may change `typed` between two of them. */
  *read(chunk: Buffer): Generator<PostgresMessage> {
    this.#unread = Buffer.concat([this.#unread, chunk])
    for (;;) {
      const head = this.typed ? 1 : 0
      if (this.#unread.length < head + 4) return
      const end = head + this.#unread.readInt32BE(head)
      if (this.#unread.length < end) return
      const bytes = this.#unread.subarray(0, end)
      this.#unread = this.#unread.subarray(end)
      yield { type: bytes.toString('latin1', 0, head), body: bytes.subarray(head + 4), bytes }
    }
  }
}

export function writeMessage(type: string, ...parts: (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map(toBytes))
  return Buffer.concat([Buffer.from(type), toBytes(body.length + 4), body])
}

/** Numbers become 32 bits, texts end with a zero. */
function toBytes(part: string | number | Buffer): Buffer {
  if (typeof part === 'string') return Buffer.from(`${part}\0`)
  if (typeof part !== 'number') return part
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(part)
  return bytes
}
