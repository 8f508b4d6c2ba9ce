// How values travel between the service and PostgreSQL. Plain JavaScript, because the snapshot worker imports it too.
//
// The driver (3.4.9) writes serialised parameters back into the query, and serialises them again when it repeats a
// statement that the connection has lost (porsager/postgres#1197). So every serialiser must leave text as it is.

/**
 * @template T
 * @param {(value: T) => string} serialize
 * @returns {(value: T | string) => string}
 */
const textAsIs = serialize => value => (typeof value === 'string' ? value : serialize(value))

/** @param {number} oid */
const arrayOf = oid => ({
  to: oid,
  from: [oid],
  serialize: textAsIs(arrayLiteral),
  /** @type {(text: string) => never} */
  parse: text => {
    throw new TypeError(`${text} came as an array: select to_jsonb() of it`)
  },
})

export const valueTypes = {
  boolean: {
    to: 16,
    from: [16],
    serialize: textAsIs((/** @type {boolean} */ value) => (value ? 't' : 'f')),
    parse: (/** @type {string} */ text) => text === 't',
  },
  bytea: {
    to: 17,
    from: [17],
    serialize: textAsIs((/** @type {Uint8Array} */ bytes) => hexOf(bytes)),
    parse: bytesOf,
  },
  int8: { to: 20, from: [20], serialize: String, parse: safeInteger },
  json: {
    to: 114,
    from: [114, 3802],
    serialize: textAsIs(JSON.stringify),
    parse: (/** @type {string} */ text) => JSON.parse(text),
  },
  day: {
    to: 1082,
    from: [1082],
    serialize: (/** @type {string} */ value) => value,
    parse: (/** @type {string} */ text) => text,
  },
  timestamp: {
    to: 1184,
    from: [1184],
    serialize: textAsIs((/** @type {Date} */ date) => date.toISOString()),
    // From PostgreSQL's `2026-01-31 12:00:00.123456+00`.
    parse: (/** @type {string} */ text) => new Date(text).toISOString(),
  },
  // One-dimensional arrays of strings.
  texts: arrayOf(1009),
  timestamps: arrayOf(1185),
  uuids: arrayOf(2951),
}

/** @param {readonly string[]} elements */
function arrayLiteral(elements) {
  return `{${elements.map(text => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}

/**
 * Version 0.2 stored the serialised text of some bytes, `\x010e…`, behind poolers. Neither an update nor a snapshot
 * begins like that, so this reads them as what they were.
 * @param {string} text
 */
function bytesOf(text) {
  const bytes = Buffer.from(text.slice(2), 'hex')
  if (bytes[0] !== 0x5c || bytes[1] !== 0x78) return bytes
  const inner = bytes.toString('latin1', 2)
  return /^(?:[0-9a-f]{2})*$/.test(inner) ? Buffer.from(inner, 'hex') : bytes
}

/** @param {string} text */
function safeInteger(text) {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond a safe integer`)
  return value
}
