// Responses whose bytes many clients share. They are compressed once.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { SharedCopy } from '../feed/viewers/shared-copy.ts'

const takesGzip = ({ req }: Context) => /\bgzip\b/.test(req.header('Accept-Encoding') ?? '')

/** Sends the shared bytes: copies for clients that don't read would fill the memory. */
export async function sendCopy(c: Context, copy: SharedCopy, headers: Record<string, string>) {
  c.header('Vary', 'Accept-Encoding')
  if (!takesGzip(c)) return c.body(copy.plain, 200, headers)
  return c.body(await copy.gzipped(), 200, { ...headers, 'Content-Encoding': 'gzip' })
}

/** For bytes that never change. `read` runs again only if it fails. The route needs Hono's etag() for 304. */
export function staticResponse(read: () => Promise<Uint8Array>, headers: Record<string, string>) {
  let content: Promise<{ copy: SharedCopy; hash: string }> | null = null
  return async (c: Context): Promise<Response> => {
    content ??= read()
      .then(bytes => ({
        copy: new SharedCopy(Buffer.from(bytes)),
        hash: createHash('sha256').update(bytes).digest('base64url'),
      }))
      .catch(error => {
        content = null
        throw error
      })
    const { copy, hash } = await content
    return sendCopy(c, copy, { ...headers, ETag: takesGzip(c) ? `"${hash}-gzip"` : `"${hash}"` })
  }
}
