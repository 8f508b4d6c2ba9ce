// Workspaces: the dashboard's, by session; their list for scripts, by key; their page, for whoever may see it.
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { attributeSettingBody } from '../../shared/attributes.ts'
import { createWorkspaceBody, patchWorkspaceBody } from '../../shared/workspace.ts'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import type { Identify } from '../auth/identify.ts'
import { letIn } from '../auth/let-in.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Sql } from '../database/connect.ts'
import { badRequest, notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { listAttributeSettings, putAttributeSetting } from '../model/attributes.ts'
import { readWorkspacePage } from '../model/workspace-page.ts'
import {
  checkSlug,
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  ownWorkspace,
  patchWorkspace,
  placeOfSlug,
} from '../model/workspaces.ts'
import { type CallerEnv, isOutside, type RequireCaller } from './own-channel.ts'
import { asUuid, readBody } from './request.ts'

export type WorkspaceDeps = {
  sql: Sql
  feeds: Feeds
  workspace_limit: number | null
  on_workspace_touched: (workspace_id: string) => void
  /** Who may see it changed. */
  on_workspace_changed: (workspace_id: string) => void
  on_workspace_deleted: (workspace_id: string, channel_ids: string[]) => void
}

export function workspaceRoutes(session: RequireCaller, deps: WorkspaceDeps) {
  const { sql } = deps
  const routes = new Hono<CallerEnv>()

  routes.post('/workspaces', session, async c => {
    const body = await readBody(c, createWorkspaceBody)
    const created = await createWorkspace(sql, c.get('user_id'), body, deps.workspace_limit)
    const { custom_slug: _, ...workspace } = created
    return c.json(workspace, 201)
  })

  routes.get('/workspaces/:id', session, async c => {
    return c.json(await ownWorkspace(sql, c.get('user_id'), asUuid(c.req.param('id'))))
  })

  routes.patch('/workspaces/:id', session, async c => {
    const { id } = await ownWorkspace(sql, c.get('user_id'), asUuid(c.req.param('id')))
    const body = await readBody(c, patchWorkspaceBody)
    const hash = body.password === undefined ? null : await hashPassword(body.password, c.get('user_id'))
    const { workspace, access_changed } = await patchWorkspace(sql, c.get('user_id'), id, body, hash)
    if (access_changed) deps.on_workspace_changed(id)
    else deps.on_workspace_touched(id)
    return c.json(workspace)
  })

  routes.delete('/workspaces/:id', session, async c => {
    const { id } = await ownWorkspace(sql, c.get('user_id'), asUuid(c.req.param('id')))
    deps.on_workspace_deleted(id, await deleteWorkspace(sql, deps.feeds, c.get('user_id'), id))
    return c.json({ success: true })
  })

  routes.get('/workspaces/:id/slug-check', session, async c => {
    const { id } = await ownWorkspace(sql, c.get('user_id'), asUuid(c.req.param('id')))
    const slug = c.req.query('slug')
    if (slug === undefined) throw badRequest('slug is required')
    return c.json(await checkSlug(sql, id, slug))
  })

  routes.get('/workspaces/:id/attribute-settings', session, async c => {
    const { id } = await ownWorkspace(sql, c.get('user_id'), asUuid(c.req.param('id')))
    return c.json(await listAttributeSettings(sql, id))
  })

  routes.put('/workspaces/:id/attribute-settings', session, async c => {
    const { id } = await ownWorkspace(sql, c.get('user_id'), asUuid(c.req.param('id')))
    const setting = await putAttributeSetting(sql, id, await readBody(c, attributeSettingBody))
    deps.on_workspace_touched(id)
    return c.json(setting)
  })

  return routes
}

/** GET /workspaces, for the dashboard and for scripts; a confined key sees only its own. */
export function workspaceListRoute(caller: RequireCaller, { sql }: { sql: Sql }) {
  const routes = new Hono<CallerEnv>()
  routes.get('/workspaces', caller, async c => {
    const workspaces = await listWorkspaces(sql, c.get('user_id'))
    const visible = workspaces.filter(({ id }) => !isOutside(c.get('key'), id))
    return c.json(visible.map(({ user_id: _, ...workspace }) => workspace))
  })
  return routes
}

/** What /w/{slug} shows, under the rules of its visibility. */
export function workspacePageRoute({ sql, identify }: { sql: Sql; identify: Identify }) {
  const routes = new Hono<{ Bindings: HttpBindings }>()
  routes.get('/workspaces/by-slug/:slug', async c => {
    const place = await placeOfSlug(sql, c.req.param('slug'))
    if (!place) throw notFound('Workspace')
    const { can_edit } = letIn(place, await identify.byCookies(c.req.header('Cookie')))
    const read = await readWorkspacePage(sql, place.workspace_id)
    if (!read) throw notFound('Workspace')
    const answer: WorkspacePage = { ...read.page, can_edit }
    return c.json(answer)
  })
  return routes
}
