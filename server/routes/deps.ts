// What routes need, in one object of which each route takes what it uses, and what middleware has set before them.
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { User } from '../../shared/user.ts'
import type { WorkspaceWithRole } from '../../shared/workspace.ts'
import type { Key, KeyRing } from '../auth/api-keys.ts'
import type { Cap } from '../auth/caps.ts'
import type { Identify } from '../auth/identify.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { UnreadBytes } from '../auth/unread-bytes.ts'
import type { BusNotice } from '../bus/bus.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../database/connect.ts'
import type { EndQuestion } from '../decisions/end-question.ts'
import type { DecisionExpiry } from '../decisions/expiry.ts'
import type { DecisionLooks } from '../decisions/looks.ts'
import type { DecisionWaits } from '../decisions/waits.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Idempotency } from '../feed/log/idempotency.ts'
import type { ChannelFacts } from '../model/channels.ts'
import type { WebhookSender } from '../webhooks/webhook-sender.ts'
import type { EventStreams } from './event-streams.ts'
import type { LateDeps } from './late-response.ts'
import type { OpenCalls } from './open-calls.ts'

/**
 * `caller`: `requireKey` below /api/v1, `requireSession` below /api. `own` runs after it and sets `channel`; `ownByQuery`
 * does so where the query names the channel. `open_hooks` counts those of each key. `secret` signs
 * cookies. `secure`: users come over https. `public_url`: the address that they open. `publish` notifies all parts of all instances.
 */
export type RouteDeps = LateDeps & {
  caller: MiddlewareHandler<AppEnv>
  own: MiddlewareHandler<AppEnv>
  ownByQuery: MiddlewareHandler<AppEnv>
  sql: Sql
  config: Config
  now: () => number
  sessions: Sessions
  key_ring: KeyRing
  throttle: Throttle
  identify: Identify
  secret: string
  secure: boolean
  public_url: string
  feeds: Feeds
  idempotency: Idempotency
  streams: EventStreams
  unread: UnreadBytes
  waits: DecisionWaits
  calls: OpenCalls
  open_hooks: Cap
  looks: DecisionLooks
  expiry: DecisionExpiry
  endQuestion: EndQuestion
  webhooks: WebhookSender
  publish: (notice: Exclude<BusNotice, { kind: 'grown' }>) => void
}

/**
 * Each variable exists only after the middleware that sets it; `body`, the bytes as they were sent, after `readBody`.
 * `key`: undefined for a session.
 */
export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    user_id: string
    user: User
    session_id: string
    key?: Key
    channel: ChannelFacts
    workspace: WorkspaceWithRole
    body: Uint8Array
  }
}
export type AppContext = Context<AppEnv>
export type Routes = Hono<AppEnv>
