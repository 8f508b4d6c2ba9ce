// The public keys of signed decisions, for anyone who verifies one.
import { etag } from 'hono/etag'
import type { Sql } from '../database/connect.ts'
import { readPublicKeys } from '../decisions/signing-keys.ts'
import type { Routes } from './deps.ts'

export const JWKS = '/.well-known/jwks.json'

const CACHED_S = 300
/** Requests that come within it share a query: anyone may send them. */
const SHARED_MS = 1_000

export function addJwksRoute(routes: Routes, { sql }: { sql: Sql }) {
  const keys = shared(() => readPublicKeys(sql))
  routes.get(JWKS, etag(), async c => {
    const found = await keys()
    c.header('Cache-Control', `public, max-age=${CACHED_S}`)
    return c.json({ keys: found.map(({ kid, jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'EdDSA' })) })
  })
}

/** A failed read is not shared with later requests. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let latest: { began: number; result: Promise<T> } | null = null
  return () => {
    const now = performance.now()
    if (latest && now - latest.began < SHARED_MS) return latest.result
    const current = { began: now, result: read() }
    current.result.catch(() => {
      if (latest === current) latest = null
    })
    latest = current
    return current.result
  }
}
