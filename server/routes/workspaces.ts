// Workspaces: the dashboard's routes, the list for automations, and the page for viewers.

import { etag } from 'hono/etag'
import { z } from 'zod'
import { type AttributeSetting, attributeSettingBody } from '../../shared/attributes.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import {
  type CreatedWorkspace,
  createWorkspaceBody,
  type DeletedWorkspace,
  type ListedWorkspace,
  listedWorkspace,
  patchWorkspaceBody,
  type SlugCheck,
  type WorkspaceWithRole,
} from '../../shared/workspace.ts'
import type { ViewedWorkspace } from '../../shared/workspace-live.ts'
import { authorize, mayRun, userOf } from '../auth/access.ts'
import { hashPassword } from '../auth/passwords.ts'
import { accessDenied, invalid, notFound } from '../errors.ts'
import { listAttributeSettings, putAttributeSetting } from '../model/attributes.ts'
import { pageFor, readWorkspacePage } from '../model/workspace-page.ts'
import {
  checkSlug,
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  patchWorkspace,
  readAccess,
} from '../model/workspaces.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { CREATED_AT, WORKSPACE_ID } from './examples.ts'
import { forRole } from './for-role.ts'
import { json, operation, serve } from './operation.ts'
import { readBody } from './request.ts'

export const listWorkspacesOperation = operation('listWorkspaces', 'get', '/workspaces', {
  summary: 'List the workspaces',
  description:
    'The workspaces that the key’s person owns, then those in which the person is an editor. A key limited to one workspace lists only that one.',
  need: 'read',
  responses: {
    200: json(z.array(listedWorkspace), 'The workspaces.', {
      'One workspace': [
        {
          id: WORKSPACE_ID,
          name: 'Platform team',
          slug: 'platform-team',
          custom_slug: null,
          icon: '🏢',
          visibility: 'private',
          layout: 'sidebar',
          show_search: true,
          created_at: CREATED_AT,
          role: 'owner',
        },
      ],
    }),
  },
})

/** What an editor may not change: who sees the workspace. */
const OWNERS_FIELDS = ['visibility', 'password'] as const

export function addWorkspaceListRoute(routes: Routes, { sql, caller }: RouteDeps) {
  serve(routes, listWorkspacesOperation, caller, async c => {
    const workspaces = await listWorkspaces(sql, c.get('user_id'))
    const key = c.get('key')
    // The dashboard also lists what its person only views.
    const visible = key ? workspaces.filter(({ id, role }) => mayRun(id, role, key)) : workspaces
    return c.json<ListedWorkspace[]>(visible.map(({ user_id: _, ...workspace }) => workspace))
  })
}

export function addWorkspaceRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, publish } = deps

  const [own, edit, view] = [forRole(sql, 'owner'), forRole(sql, 'editor'), forRole(sql, 'viewer')]

  routes.post('/workspaces', caller, async c => {
    const body = await readBody(c, createWorkspaceBody)
    const created = await createWorkspace(sql, c.get('user_id'), body, deps.config.workspace_limit)
    const { custom_slug: _, ...workspace } = created
    return c.json<CreatedWorkspace>(workspace, 201)
  })

  routes.get('/workspaces/:id', caller, view, c => c.json<WorkspaceWithRole>(c.get('workspace')))

  routes.patch('/workspaces/:id', caller, edit, async c => {
    const { id, role } = c.get('workspace')
    const body = await readBody(c, patchWorkspaceBody)
    if (role !== 'owner' && OWNERS_FIELDS.some(name => body[name] !== undefined)) throw accessDenied()
    const hash = body.password === undefined ? null : await hashPassword(body.password, c.get('user_id'))
    const { workspace, access_changed } = await patchWorkspace(deps, c.get('user_id'), id, body, hash)
    publish({ kind: access_changed ? 'workspace_changed' : 'workspace_touched', workspace_id: id })
    return c.json<WorkspaceWithRole>(workspace)
  })

  routes.delete('/workspaces/:id', caller, own, async c => {
    const { id } = c.get('workspace')
    const channel_ids = await deleteWorkspace(sql, deps.feeds, c.get('user_id'), id)
    publish({ kind: 'workspace_deleted', workspace_id: id })
    for (const channel_id of channel_ids) publish({ kind: 'channel_deleted', channel_id })
    return c.json<DeletedWorkspace>({ success: true })
  })

  routes.get('/workspaces/:id/slug-check', caller, edit, async c => {
    const slug = c.req.query('slug')
    if (slug === undefined) throw invalid('slug', REQUIRED)
    return c.json<SlugCheck>(await checkSlug(sql, c.get('workspace').id, slug))
  })

  routes.get('/workspaces/:id/attribute-settings', caller, edit, async c => {
    return c.json<AttributeSetting[]>(await listAttributeSettings(sql, c.get('workspace').id))
  })

  routes.put('/workspaces/:id/attribute-settings', caller, edit, async c => {
    const { id } = c.get('workspace')
    const body = await readBody(c, attributeSettingBody)
    const setting = await putAttributeSetting(sql, c.get('user_id'), id, body)
    publish({ kind: 'workspace_touched', workspace_id: id })
    return c.json<AttributeSetting>(setting)
  })
}

export function addWorkspacePageRoute(routes: Routes, { sql, identify }: RouteDeps) {
  routes.get('/workspaces/by-slug/:slug', etag({ weak: true }), async c => {
    const identity = await identify.byCookies(c.req.header('Cookie'))
    const access = await readAccess(sql, { slug: c.req.param('slug') }, userOf(identity))
    if (!access) throw notFound('Workspace')
    const right = authorize(access, identity)
    const read = await readWorkspacePage(sql, access.workspace_id)
    if (!read) throw notFound('Workspace')
    return c.json<ViewedWorkspace>(pageFor(read.page, { ...right, user_id: userOf(identity) }))
  })
}
