// The first checks on routes of a workspace: it exists, and the caller has the role that the route needs.
import { createMiddleware } from 'hono/factory'
import type { Role } from '../../shared/role.ts'
import { normalUuid } from '../../shared/text.ts'
import type { Sql } from '../database/connect.ts'
import { requireWorkspace } from '../model/workspaces.ts'
import type { AppEnv } from './deps.ts'

export const forRole = (sql: Sql, needed: Role) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const id = normalUuid(c.req.param('id'))
    c.set('workspace', await requireWorkspace(sql, c.get('user_id'), id, needed))
    await next()
  })
