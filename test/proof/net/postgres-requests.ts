// Reads what a client of PostgreSQL sends, far enough to tell when a certain statement runs.

const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)

export class PostgresRequests {
  readonly #statement: string
  /** Names of the prepared statements that contain it. */
  readonly #names = new Set<string>()
  #unread: Buffer = Buffer.alloc(0)
  /** The first message has no type. */
  #started = false

  /** `statement`: a part of its text. */
  constructor(statement: string) {
    this.#statement = statement
  }

  /** Returns whether the statement runs in these bytes. */
  runsIn(chunk: Buffer): boolean {
    this.#unread = Buffer.concat([this.#unread, chunk])
    let runs = false
    for (;;) {
      const head = this.#started ? 1 : 0
      if (this.#unread.length < head + 4) return runs
      const end = head + this.#unread.readInt32BE(head)
      if (this.#unread.length < end) return runs
      if (this.#started) runs = this.#read(this.#unread.readUInt8(0), this.#unread.subarray(5, end)) || runs
      this.#started = true
      this.#unread = this.#unread.subarray(end)
    }
  }

  #read(type: number, body: Buffer): boolean {
    if (type !== PARSE && type !== BIND) return false
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2)
    if (type === BIND) return this.#names.has(second)
    if (second.includes(this.#statement)) this.#names.add(first)
    else this.#names.delete(first)
    return false
  }
}
