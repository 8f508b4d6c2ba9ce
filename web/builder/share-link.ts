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

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): Promise<Uint8Array> {
  let size = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.length
      if (size > TEXT_MAX_BYTES) throw new Error('the card in the link is too large')
      controller.enqueue(part)
    },
  })
  const stream = new Blob([bytes]).stream().pipeThrough(through).pipeThrough(limit)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
