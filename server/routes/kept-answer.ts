// An answer that stays the same while the service runs: compressed, and hashed for its ETag, at the first request only.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'

type Variant = { body: Uint8Array<ArrayBuffer>; etag: string }
type Kept = { plain: Variant; gzipped: Variant }

/** `read` is called once, and again only if it failed. The route needs Hono's etag() for 304. */
export function keepAnswer(read: () => Promise<Uint8Array>, headers: Record<string, string>) {
  let kept: Promise<Kept> | null = null
  return async (c: Context): Promise<Response> => {
    kept ??= read()
      .then(keep)
      .catch(error => {
        kept = null
        throw error
      })
    const { plain, gzipped } = await kept
    const takesGzip = /\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '')
    const { body, etag } = takesGzip ? gzipped : plain
    if (takesGzip) c.header('Content-Encoding', 'gzip')
    return c.body(body, 200, { ...headers, ETag: etag, Vary: 'Accept-Encoding' })
  }
}

async function keep(content: Uint8Array): Promise<Kept> {
  const hash = createHash('sha256').update(content).digest('base64url')
  return {
    plain: { body: new Uint8Array(content), etag: `"${hash}"` },
    gzipped: { body: new Uint8Array(await promisify(gzip)(content)), etag: `"${hash}-gzip"` },
  }
}
