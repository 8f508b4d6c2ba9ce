// What routes need, in one object of which each route takes what it uses, and what middleware has set before them.
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Key, KeyRing } from '../auth/api-keys.ts'
import type { Identify } from '../auth/identify.ts'
import type { SessionVariables } from '../auth/middleware.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { Notice } from '../bus/bus.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../database/connect.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Idempotency } from '../feed/idempotency.ts'
import type { ChannelFacts } from '../model/channels.ts'
import type { WebhookSender } from '../webhooks/webhook-sender.ts'
import type { EventStreams } from './event-streams.ts'

/**
 * `own` runs after a `RequireCaller` and sets `channel`. `secret` signs cookies. `secure`: users come over https. `publish`
 * notifies all parts of all instances.
 */
export type RouteDeps = {
  own: MiddlewareHandler<ChannelEnv>
  sql: Sql
  config: Config
  log: Logger
  now: () => number
  sessions: Sessions
  key_ring: KeyRing
  throttle: Throttle
  identify: Identify
  secret: string
  secure: boolean
  feeds: Feeds
  idempotency: Idempotency
  streams: EventStreams
  webhooks: WebhookSender
  publish: (notice: Exclude<Notice, { kind: 'grown' }>) => void
}

export type AppEnv = { Bindings: HttpBindings }
export type SessionEnv = AppEnv & { Variables: SessionVariables }
/** `key`: undefined for a session. */
export type CallerEnv = AppEnv & { Variables: { user_id: string; key?: Key } }
export type ChannelEnv = CallerEnv & { Variables: { channel: ChannelFacts } }

/** `requireKey` or `requireSession`: the dashboard shares routes with /api/v1. */
// biome-ignore lint/suspicious/noExplicitAny: the two set different variables besides user_id
export type RequireCaller = MiddlewareHandler<any>
