// Writes the basic types of Yjs's update format. The bytes are those of lib0's encoder, in about half the time: lib0
// encodes every string into a buffer of its own and copies that byte by byte.
import * as encoding from 'lib0/encoding'

/** The first byte of a value, as in lib0's `writeAny`. Documents contain no big integers (122) and no bytes (116). */
export const ANY = {
  undefined: 127,
  null: 126,
  integer: 125,
  float32: 124,
  float64: 123,
  false: 121,
  true: 120,
  string: 119,
  object: 118,
  array: 117,
}

/** The buffer's first size: enough for most cards. */
const FIRST_BYTES = 2_048
const VAR_UINT_MAX_BYTES = 8
const UTF_8_MAX_BYTES_PER_UNIT = 3
/** Up to this length, a loop copies ASCII faster than a TextEncoder. `#ascii` writes it as one byte, so it is below 128. */
const SHORT = 48
/** Marks a number's byte that isn't its last. */
const MORE = 0x80
const utf8 = new TextEncoder()

export class ByteWriter {
  #bytes: Uint8Array = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  /** A view that is valid until the next write. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  uint8(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** `value`: up to 2^53. */
  varUint(value: number): void {
    this.#reserve(VAR_UINT_MAX_BYTES)
    let rest = value
    while (rest >= MORE) {
      this.#bytes[this.#length++] = MORE | (rest % MORE)
      rest = Math.floor(rest / MORE)
    }
    this.#bytes[this.#length++] = rest
  }

  string(text: string): void {
    this.#reserve(VAR_UINT_MAX_BYTES + text.length * UTF_8_MAX_BYTES_PER_UNIT)
    if (text.length <= SHORT && this.#ascii(text)) return
    // The length in bytes comes first, but is only known after encoding. So the text is encoded further on, then moved.
    const start = this.#length + VAR_UINT_MAX_BYTES
    const { written } = utf8.encodeInto(text, this.#bytes.subarray(start))
    this.varUint(written)
    this.#bytes.copyWithin(this.#length, start, start + written)
    this.#length += written
  }

  /** `value`: a JSON value, or undefined. */
  any(value: unknown): void {
    if (typeof value === 'string') {
      this.uint8(ANY.string)
      this.string(value)
    } else if (typeof value === 'boolean') {
      this.uint8(value ? ANY.true : ANY.false)
    } else if (value === null) {
      this.uint8(ANY.null)
    } else if (Array.isArray(value)) {
      this.uint8(ANY.array)
      this.varUint(value.length)
      for (const item of value) this.any(item)
    } else if (typeof value === 'object') {
      const fields = Object.entries(value)
      this.uint8(ANY.object)
      this.varUint(fields.length)
      for (const [name, field] of fields) {
        this.string(name)
        this.any(field)
      }
    } else if (typeof value === 'number' || value === undefined) {
      // Numbers have several encodings. Cards contain few numbers, so the slower way is fine.
      this.bytes(encoding.encode(encoder => encoding.writeAny(encoder, value)))
    } else {
      throw new Error(`a document has no values of type ${typeof value}`)
    }
  }

  /** Returns false, and writes nothing, if `text` isn't ASCII. */
  #ascii(text: string): boolean {
    const start = this.#length + 1
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= MORE) return false
      this.#bytes[start + i] = unit
    }
    this.#bytes[this.#length] = text.length
    this.#length = start + text.length
    return true
  }

  #reserve(length: number): void {
    const needed = this.#length + length
    if (needed <= this.#bytes.length) return
    const bytes = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    bytes.set(this.written)
    this.#bytes = bytes
  }
}
