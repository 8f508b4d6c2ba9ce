// The HTTP requests of a channel's page: its head, newest cards, whole document and older pages.
import type { CardPage, ChannelView } from '../../shared/channel-view.ts'
import type { Person } from '../../shared/interaction.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import type { Identity } from '../auth/access.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { archivedPageVersion, readArchivedPage } from '../model/cards.ts'
import { getChannel } from '../model/channels.ts'
import { readMayDecide } from '../model/decision-reads.ts'
import { readName } from '../model/users.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { sendCopy } from './static-response.ts'
import { viewedChannel } from './viewed-channel.ts'

export function addViewRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, feeds } = deps

  routes.get('/channels/:channelId/view', async c => {
    const { channel_id, can_edit, identity } = await viewedChannel(c, deps)
    const full = await getChannel(sql, channel_id)
    const { webhook_url: _, receipts: __, created_at: ___, updated_at: ____, ...channel } = full
    const you = await personOf(sql, identity, can_edit)
    const may_decide =
      identity.kind === 'session' ? await readMayDecide(sql, channel_id, identity.user_id, deps.now()) : []
    return c.json<ChannelView>({ channel, can_edit, you, may_decide })
  })

  routes.get('/channels/:channelId/first-cards', async c => {
    const { channel_id } = await viewedChannel(c, deps)
    return sendCopy(c, await feeds.audience(channel_id).firstCards(), { 'Content-Type': 'application/json' })
  })

  /** A new viewer would get the same bytes from the socket, but later and uncompressed. */
  routes.get('/channels/:channelId/document', async c => {
    const { channel_id } = await viewedChannel(c, deps)
    return sendCopy(c, await feeds.audience(channel_id).document(), {
      'Content-Type': 'application/octet-stream',
    })
  })

  routes.get('/channels/:channelId/pages/:page', async c => {
    const { channel_id } = await viewedChannel(c, deps)
    const page = pageNumber(c.req.param('page'))
    const feed = feeds.get(channel_id)
    // Another instance may have confirmed a card that this instance hasn't received yet.
    const head = await feed.refresh()
    if (!head) throw notFound('Channel')
    if (page * PAGE_SIZE >= Math.max(1, head.next_position)) throw notFound('Page')

    const live = await feed.livePage(page)
    const version = live ? live.seq : await archivedPageVersion(sql, channel_id, page)
    const etag = `"${live?.epoch ?? head.epoch}.${version}"`
    c.header('ETag', etag)
    c.header('Cache-Control', 'private, no-cache')
    if (matches(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    if (live) return c.json<CardPage>({ page, version, cards: live.cards })
    const archived = await readArchivedPage(sql, channel_id, page)
    c.header('ETag', `"${head.epoch}.${archived.version}"`)
    return c.json<CardPage>({ page, version: archived.version, cards: archived.cards })
  })
}

async function personOf(sql: Sql, identity: Identity, has_role: boolean): Promise<Person> {
  const name = identity.kind === 'session' ? await readName(sql, identity.user_id) : null
  if (name === null) return { kind: 'anonymous', name }
  return { kind: has_role ? 'owner' : 'user', name }
}

function pageNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw notFound('Page')
  return Number(text)
}

function matches(header = '', etag: string): boolean {
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
