// A response that never changes while the service runs. It is compressed and hashed once.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'

/** `read` runs again only if it fails. The route needs Hono's etag() for 304. */
export function staticResponse(read: () => Promise<Uint8Array>, headers: Record<string, string>) {
  let encodings: ReturnType<typeof encode> | null = null
  return async (c: Context): Promise<Response> => {
    encodings ??= read()
      .then(encode)
      .catch(error => {
        encodings = null
        throw error
      })
    const { plain, gzipped } = await encodings
    const takesGzip = /\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '')
    const { body, etag } = takesGzip ? gzipped : plain
    if (takesGzip) c.header('Content-Encoding', 'gzip')
    return c.body(body, 200, { ...headers, ETag: etag, Vary: 'Accept-Encoding' })
  }
}

async function encode(content: Uint8Array) {
  const hash = createHash('sha256').update(content).digest('base64url')
  return {
    plain: { body: new Uint8Array(content), etag: `"${hash}"` },
    gzipped: { body: new Uint8Array(await promisify(gzip)(content)), etag: `"${hash}-gzip"` },
  }
}
