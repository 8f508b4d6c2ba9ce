// What a viewer's page asks for beside the socket: the channel's head, its newest cards and its document for a first
// look, and its pages.
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { Person } from '../../shared/interaction.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import type { Viewer } from '../auth/access.ts'
import type { Identify } from '../auth/identify.ts'
import { letIn } from '../auth/let-in.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { SharedCopy } from '../feed/shared-copy.ts'
import { archivedPageVersion, readArchivedPage } from '../model/cards.ts'
import { getChannel, placeOfChannel } from '../model/channels.ts'
import { readName } from '../model/users.ts'
import { asUuid } from './request.ts'

export type ViewDeps = { sql: Sql; identify: Identify; feeds: Feeds }

type Env = { Bindings: HttpBindings }

export function viewRoutes({ sql, identify, feeds }: ViewDeps) {
  const routes = new Hono<Env>()

  /** 404, 401 or 403 for who may not see the channel. */
  async function admit(c: Context<Env>): Promise<{ channel_id: string; can_edit: boolean; viewer: Viewer }> {
    const channel_id = asUuid(c.req.param('channelId'))
    const place = channel_id === null ? null : await placeOfChannel(sql, channel_id)
    if (channel_id === null || !place) throw notFound('Channel')
    const viewer = await identify.byCookies(c.req.header('Cookie'))
    return { channel_id, viewer, ...letIn(place, viewer) }
  }

  routes.get('/channels/:channelId/view', async c => {
    const { channel_id, can_edit, viewer } = await admit(c)
    const { webhook_url: _, created_at: __, updated_at: ___, ...channel } = await getChannel(sql, channel_id)
    return c.json({ channel, can_edit, you: await personOf(viewer, can_edit) })
  })

  async function personOf(viewer: Viewer, has_role: boolean): Promise<Person> {
    const name = viewer.kind === 'session' ? await readName(sql, viewer.user_id) : null
    if (name === null) return { kind: 'anonymous', name }
    return { kind: has_role ? 'owner' : 'user', name }
  }

  /** What a first visit shows before it has the document. */
  routes.get('/channels/:channelId/first-cards', async c => {
    const { channel_id } = await admit(c)
    return answerWith(c, 'application/json', await feeds.firstCards(channel_id))
  })

  /** The same that a fresh viewer gets from the socket, some round trips sooner, and compressed. */
  routes.get('/channels/:channelId/document', async c => {
    const { channel_id } = await admit(c)
    return answerWith(c, 'application/octet-stream', await feeds.document(channel_id))
  })

  routes.get('/channels/:channelId/pages/:page', async c => {
    const { channel_id } = await admit(c)
    const page = pageNumber(c.req.param('page'))
    const feed = feeds.get(channel_id)
    // Another instance may have answered for a card that this one has not heard of yet.
    const head = await feed.refresh()
    if (!head) throw notFound('Channel')
    if (page * PAGE_SIZE >= Math.max(1, head.next_position)) throw notFound('Page')

    const live = await feed.livePage(page)
    const version = live ? live.seq : await archivedPageVersion(sql, channel_id, page)
    const etag = `"${live?.epoch ?? head.epoch}.${version}"`
    c.header('ETag', etag)
    c.header('Cache-Control', 'private, no-cache')
    if (matches(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    if (live) return c.json({ page, version, cards: live.cards })
    const archived = await readArchivedPage(sql, channel_id, page)
    c.header('ETag', `"${head.epoch}.${archived.version}"`)
    return c.json({ page, version: archived.version, cards: archived.cards })
  })

  return routes
}

/** Sends the shared bytes themselves: a copy for each client that does not read would fill the memory. */
async function answerWith(c: Context<Env>, type: string, copy: SharedCopy): Promise<Response> {
  c.header('Content-Type', type)
  c.header('Vary', 'Accept-Encoding')
  if (!/\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '')) return c.body(copy.plain)
  c.header('Content-Encoding', 'gzip')
  return c.body(await copy.gzipped())
}

function pageNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw notFound('Page')
  return Number(text)
}

/** If-None-Match with strong tags (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
