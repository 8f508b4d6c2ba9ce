// The HTTP requests of a channel's page: its head, newest cards, whole document and older pages.
import type { PlacedCard } from '../../shared/card.ts'
import { withoutOwnerOnly } from '../../shared/channel.ts'
import type { CardPage, ChannelView, WaitingCards } from '../../shared/channel-view.ts'
import type { Person } from '../../shared/interaction.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import type { Looks } from '../../shared/looks.ts'
import type { Role } from '../../shared/role.ts'
import { type Identity, personKind, userOf } from '../auth/access.ts'
import type { Sql } from '../database/connect.ts'
import { readChosen, readMayDecide } from '../decisions/reads.ts'
import { ShownLooks } from '../decisions/shown-looks.ts'
import { notFound } from '../errors.ts'
import type { OpenChannel } from '../feed/open-channel.ts'
import { archivedPageVersion, readArchivedPage } from '../model/cards.ts'
import { getChannel } from '../model/channels.ts'
import { readName } from '../model/users.ts'
import { readWaitingCards } from '../model/waiting-cards.ts'
import { readNamedWorkspace } from '../model/workspaces.ts'
import { countUnreadBytes } from './counted-response.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { sendCopy } from './static-response.ts'
import { readViewedChannel } from './viewed-channel.ts'

export function addViewRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, feeds } = deps
  const looks = new ShownLooks(sql, deps.now)

  routes.get('/channels/:channelId/view', async c => {
    const viewed = await readViewedChannel(c, deps)
    const { channel_id, owner_id, role, can_edit, can_act, identity } = viewed
    const shown = withoutOwnerOnly(await getChannel(sql, channel_id))
    const { created_at: _, updated_at: __, ...channel } = shown
    const you = await personOf(sql, identity, role)
    const may_decide =
      identity.kind === 'session' && can_act
        ? await readMayDecide(sql, channel_id, identity.user_id, deps.now())
        : []
    const workspace = await readNamedWorkspace(sql, channel.workspace_id)
    const view = { channel, workspace, role, can_edit, can_act, you, may_decide }
    if (role === null) return c.json<ChannelView>(view)
    const owner_name = (await readName(sql, owner_id)) ?? ''
    const chosen = await readChosen(sql, channel_id, deps.now())
    return c.json<ChannelView>({ ...view, owner_name, chosen })
  })

  routes.get('/channels/:channelId/waiting', async c => {
    const { channel_id, role, can_act, identity } = await readViewedChannel(c, deps)
    const { mode } = await getChannel(sql, channel_id)
    const waiting: WaitingCards =
      mode === 'interactive' && can_act
        ? await readWaitingCards(sql, channel_id, { user_id: userOf(identity), role }, deps.now())
        : { total: 0, cards: [] }
    const json = Buffer.from(JSON.stringify(waiting))
    countUnreadBytes(c, deps, identity, json, json.length)
    return c.body(json, 200, { 'Content-Type': 'application/json' })
  })

  routes.get('/channels/:channelId/looks', async c => {
    const { channel_id } = await readViewedChannel(c, deps)
    return c.json<Looks>(await looks.of(channel_id))
  })

  routes.get('/channels/:channelId/first-cards', async c => {
    const viewed = await readViewedChannel(c, deps)
    const copy = await feeds.audience(viewed.channel_id).firstCards()
    countUnreadBytes(c, deps, viewed.identity, copy, copy.plain.length)
    return sendCopy(c, copy, { 'Content-Type': 'application/json' })
  })

  /**
   * A new viewer would get the same bytes from the socket, but later and uncompressed. Viewers whose socket doesn't open ask
   * again with the ETag.
   */
  routes.get('/channels/:channelId/document', async c => {
    const viewed = await readViewedChannel(c, deps)
    const audience = feeds.audience(viewed.channel_id)
    const known = c.req.header('If-None-Match')
    const { copy, epoch, clock } = await (known ? audience.currentDocument() : audience.document())
    // Weak, because a compressed response has the same one.
    const etag = `"${epoch}.${clock}"`
    c.header('ETag', `W/${etag}`)
    if (matches(known, etag)) return c.body(null, 304)
    countUnreadBytes(c, deps, viewed.identity, copy, copy.plain.length)
    return sendCopy(c, copy, { 'Content-Type': 'application/octet-stream' })
  })

  routes.get('/channels/:channelId/pages/:page', async c => {
    const { channel_id, identity } = await readViewedChannel(c, deps)
    const page = pageNumber(c.req.param('page'))
    const feed = feeds.get(channel_id)
    // Another instance may have confirmed a card that this instance hasn't received yet.
    const head = await feed.refresh()
    if (!head) throw notFound('Channel')
    if (page * PAGE_SIZE >= Math.max(1, head.next_position)) throw notFound('Page')

    const { epoch, seq, oldest_page } = await feed.place()
    const version = page >= oldest_page ? seq : await archivedPageVersion(sql, channel_id, page)
    const etag = `"${epoch}.${version}"`
    c.header('Cache-Control', 'private, no-cache')
    if (matches(c.req.header('If-None-Match'), etag)) return c.body(null, 304, { ETag: etag })
    const copy = await feeds.audience(channel_id).page(page, etag, () => readPage(sql, feed, page, epoch))
    countUnreadBytes(c, deps, identity, copy, copy.json.length)
    return c.body(copy.json, 200, { ETag: copy.etag, 'Content-Type': 'application/json' })
  })
}

/** The page as it is now. `epoch`: for the ETag of an archived page. */
async function readPage(sql: Sql, feed: OpenChannel, number: number, epoch: number) {
  const made = (at: number, version: number, cards: PlacedCard[]) => {
    const page: CardPage = { page: number, version, cards }
    return { etag: `"${at}.${version}"`, page }
  }
  const live = await feed.livePage(number)
  if (live) return made(live.epoch, live.seq, live.cards)
  const { version, cards } = await readArchivedPage(sql, feed.channel_id, number)
  return made(epoch, version, cards)
}

async function personOf(sql: Sql, identity: Identity, role: Role | null): Promise<Person> {
  const name = identity.kind === 'session' ? await readName(sql, identity.user_id) : null
  if (name === null) return { kind: 'anonymous', name }
  return { kind: personKind(role), name }
}

function pageNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw notFound('Page')
  return Number(text)
}

function matches(header = '', etag: string): boolean {
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
