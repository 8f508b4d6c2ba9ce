// Counts responses against what their receiver hasn't read yet: see unread-bytes.ts.
import { finished } from 'node:stream'
import type { Identity } from '../auth/access.ts'
import { clientAddress } from '../auth/client-address.ts'
import { receiverOf } from '../auth/unread-bytes.ts'
import type { AppContext, RouteDeps } from './deps.ts'

type UnreadDeps = Pick<RouteDeps, 'config' | 'unread'>

/** For a viewer, who may be nobody. `part` stands for bytes that responses share. Throws 429 or 503. */
export function countUnreadBytes(
  c: AppContext,
  { config, unread }: UnreadDeps,
  identity: Identity,
  part: object,
  bytes: number,
): void {
  const receiver = receiverFor(identity, clientAddress(c.env.incoming, config.trust_proxy))
  finished(c.env.outgoing, unread.take(receiver, part, bytes))
}

export const receiverFor = (identity: Identity, address: string) =>
  receiverOf(identity.kind === 'anonymous' ? null : identity.user_id, address)

/** Throws 429 if the caller hasn't read too much already. Call it before reading much for a response. */
export function checkUnread(c: AppContext, { unread }: Pick<RouteDeps, 'unread'>): void {
  unread.check(callerOf(c))
}

/** A response to the caller, as JSON. Throws 429 or 503. */
export function sendCounted<T extends object>(
  c: AppContext,
  { unread }: Pick<RouteDeps, 'unread'>,
  body: T,
): Response {
  const json = Buffer.from(JSON.stringify(body))
  finished(c.env.outgoing, unread.take(callerOf(c), json, json.length))
  return c.body(json, 200, { 'Content-Type': 'application/json' })
}

const callerOf = (c: AppContext) => receiverOf(c.get('user_id'), '')
