// Everything that routes need, in one object. Each route takes what it uses.
import type { HttpBindings } from '@hono/node-server'
import type { Logger } from 'pino'
import type { KeyRing } from '../auth/api-keys.ts'
import type { Identify } from '../auth/identify.ts'
import type { SessionVariables } from '../auth/middleware.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { Notice } from '../bus/bus.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../database/connect.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Idempotency } from '../feed/idempotency.ts'
import type { ChannelRegister } from '../model/channels.ts'
import type { WebhookSender } from '../webhooks/webhook-sender.ts'
import type { EventStreams } from './event-streams.ts'

/** `secret` signs cookies. `secure`: users come over https. `publish` notifies all parts of all instances. */
export type RouteDeps = {
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
  register: ChannelRegister
  feeds: Feeds
  idempotency: Idempotency
  streams: EventStreams
  webhooks: WebhookSender
  publish: (notice: Exclude<Notice, { kind: 'grown' }>) => void
}

export type ViewerEnv = { Bindings: HttpBindings }
export type SessionEnv = ViewerEnv & { Variables: SessionVariables }
