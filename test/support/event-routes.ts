// The routes of event streams alone, for a test that serves them itself.
import { Hono } from 'hono'
import { pino } from 'pino'
import { createCap } from '../../server/auth/caps.ts'
import { createRoles } from '../../server/auth/roles.ts'
import { refusalsOf } from '../../server/auth/runners.ts'
import { UnreadBytes } from '../../server/auth/unread-bytes.ts'
import { tooManyEventStreams } from '../../server/errors.ts'
import { ChannelRegister } from '../../server/model/channels.ts'
import type { Routes } from '../../server/routes/deps.ts'
import { EventStreams } from '../../server/routes/event-streams.ts'
import { addEventRoutes } from '../../server/routes/events.ts'
import { ownChannel } from '../../server/routes/own-channel.ts'
import type { Account } from './account.ts'
import type { TestService } from './service.ts'

/** Every caller counts as `account`. `comment_ms`: the interval of keep-alive comments. */
export function eventRoutesOf({ sql, feeds, url }: TestService, account: Account, comment_ms?: number) {
  const routes: Routes = new Hono()
  addEventRoutes(routes, {
    caller: async (c, next) => {
      c.set('user_id', account.user_id)
      await next()
    },
    sql,
    own: ownChannel(
      new ChannelRegister(sql),
      createRoles(sql, () => performance.now()),
    ),
    feeds,
    streams: new EventStreams(createCap(null, tooManyEventStreams), runners => refusalsOf(sql, runners)),
    unread: new UnreadBytes({ per_receiver: null, in_all: null }),
    public_url: url,
    log: pino({ level: 'silent' }),
    ...(comment_ms !== undefined && { comment_ms }),
  })
  return routes
}
