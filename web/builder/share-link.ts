// A link that opens a copy of a card in the builder. The card is in the fragment, which browsers don't send.
import { fromBase64UrlEncoded, toBase64UrlEncoded } from 'lib0/buffer'

const MARK = '#card='
/** The API rejects a larger card too. */
const TEXT_MAX_BYTES = 1_048_576

export async function linkOf(text: string, origin: string): Promise<string> {
  const packed = await pipe(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  return `${origin}/dashboard/builder${MARK}${toBase64UrlEncoded(packed)}`
}

export const holdsCard = (fragment: string): boolean => fragment.startsWith(MARK)

/** null if the fragment holds no readable card. */
export async function readFragment(fragment: string): Promise<string | null> {
  if (!holdsCard(fragment)) return null
  try {
    const packed = fromBase64UrlEncoded(fragment.slice(MARK.length))
    return new TextDecoder('utf-8', { fatal: true }).decode(
      await pipe(packed, new DecompressionStream('deflate-raw')),
    )
  } catch {
    return null
  }
}

/** Reads piece by piece: from a whole `Response`, Firefox reports bytes that can't be read as an unhandled rejection too. */
async function pipe(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(through)
  const reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> = stream.getReader()
  const parts = []
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    size += part.value.length
    if (size > TEXT_MAX_BYTES) {
      await reader.cancel()
      throw new Error('the card in the link is too large')
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
