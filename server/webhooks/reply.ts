// Reads what a receiver replies. Whatever it looks like: if the receiver says 2xx, it has done its part, and a second
// delivery would do it again.
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

export const HEAD_MAX_BYTES = 64 * 1024
const BODY_MAX_BYTES = 64 * 1024

/** `body`: null if there is none to be read. */
export type Reply = {
  code: number
  headers: Record<string, string>
  body: IncomingMessage | null
}

export const replyOf = (message: Pick<IncomingMessage, 'statusCode' | 'headers'>): Omit<Reply, 'body'> => ({
  code: message.statusCode ?? 0,
  headers: Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, asText([value ?? ''].flat().join(', '))]),
  ),
})

/**
 * Reads a head that Node's parser refuses even in its lenient mode, for instance one with a blank before a colon. Returns null
 * if it isn't HTTP, or if its `Content-Length` is invalid.
 */
export function readOddHead(bytes: Buffer): Reply | null {
  const heads = bytes.toString('latin1').split(/\r?\n\r?\n/)
  // Interim responses precede the response.
  const head = heads.map(text => text.trimStart()).find(text => !/^HTTP\/\S+[ \t]+1\d\d\b/.test(text))
  const [status = '', ...lines] = head?.split(/\r?\n/) ?? []
  const code = /^HTTP\/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)/.exec(status)?.[1]
  if (code === undefined) return null
  const fields = lines.flatMap(line => {
    const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined
      ? []
      : [[name.trim().toLowerCase(), value.trim()] as const]
  })
  const lengths = new Set(fields.flatMap(([name, value]) => (name === 'content-length' ? [value] : [])))
  if (lengths.size > 1 || [...lengths].some(length => !/^\d+$/.test(length))) return null
  const headers = Object.fromEntries(fields.map(([name, value]) => [name, asText(value)]))
  return { code: Number(code), headers, body: null }
}

/** The log is the only reader of the body, so a slow or long one is cut off. Never rejects. */
export async function readReplyBody({ body, headers }: Reply, timeout_ms: number): Promise<string> {
  if (!body) return ''
  const raw = await collect(body, timeout_ms)
  return asText((await decode(raw, headers['content-encoding'] ?? '')).toString('utf8'))
}

async function collect(stream: IncomingMessage | Transform, timeout_ms: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, timeout_ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= BODY_MAX_BYTES) end()
    })
    for (const event of ['end', 'error', 'close']) stream.on(event, end)
  })
  return Buffer.concat(chunks).subarray(0, BODY_MAX_BYTES)
}

const DECODE_MS = 1_000

/** Returns the bytes as they are if they can't be decoded. Stops at the limit, so a small body can't become a huge one. */
async function decode(raw: Buffer, encoding: string): Promise<Buffer> {
  const decoder = decoderOf(encoding.trim().toLowerCase(), raw)
  if (!decoder) return raw
  decoder.end(raw)
  const decoded = await collect(decoder, DECODE_MS)
  decoder.destroy()
  return decoded.length > 0 ? decoded : raw
}

function decoderOf(encoding: string, raw: Buffer): Transform | null {
  // A body that was cut off is decoded as far as it goes.
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH }
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(zlib)
    case 'deflate':
      // Some send the format without its header, whose first byte ends in 8.
      return ((raw[0] ?? 0) & 15) === 8 ? createInflate(zlib) : createInflateRaw(zlib)
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      return null
  }
}

/** PostgreSQL's text can't hold NUL. */
const asText = (text: string) => text.replaceAll('\0', '\uFFFD')
