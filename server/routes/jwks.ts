// The public keys of signed decisions, for anyone who verifies one.
import { etag } from 'hono/etag'
import type { Sql } from '../database/connect.ts'
import { readPublicKeys } from '../decisions/signing-keys.ts'
import type { Routes } from './deps.ts'

export const JWKS = '/.well-known/jwks.json'

const CACHED_S = 300

export function addJwksRoute(routes: Routes, { sql }: { sql: Sql }) {
  routes.get(JWKS, etag(), async c => {
    const keys = await readPublicKeys(sql)
    c.header('Cache-Control', `public, max-age=${CACHED_S}`)
    return c.json({ keys: keys.map(({ kid, jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'EdDSA' })) })
  })
}
