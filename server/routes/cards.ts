// Cards, for automations (/api/v1, by key) and for the dashboard (/api, by session): the same bodies and checks.
import { randomUUID } from 'node:crypto'
import { Hono, type HonoRequest } from 'hono'
import { createMiddleware } from 'hono/factory'
import { createCardBody, type PlacedCard, patchCardBody } from '../../shared/card.ts'
import { parse } from '../../shared/invalid.ts'
import { CARD_KEY_MAX } from '../../shared/limits.ts'
import { charCount } from '../../shared/text.ts'
import type { Sql } from '../database/connect.ts'
import { badRequest, notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Idempotency } from '../feed/idempotency.ts'
import type { CardRef, Mutation, Outcome } from '../feed/mutation.ts'
import { getCard, listCards } from '../model/cards.ts'
import type { ChannelRegister } from '../model/channels.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import { answerOnce, type Keep, type Reply } from './idempotent.ts'
import { type ChannelEnv, ownChannel, type RequireCaller, requireNeed } from './own-channel.ts'
import { asUuid, readCursor, readJson, readLimit, writeCursor } from './request.ts'

export type CardDeps = {
  sql: Sql
  register: ChannelRegister
  feeds: Feeds
  idempotency: Idempotency
  daily_card_limit: number | null
  now: () => number
}

const CARDS = '/channels/:channelId/cards'

export function cardRoutes(caller: RequireCaller, deps: CardDeps) {
  const { sql, feeds, idempotency } = deps
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(deps.register)

  /** Sends a write to the channel's next turn; the reply is kept with it where the caller gave a key. */
  async function write(
    channel: { id: string; owner_id: string },
    mutation: Mutation,
    keep: Keep,
    replyTo: (outcome: Outcome) => Reply,
  ): Promise<Reply> {
    const outcome = await feeds.write(channel.id, {
      mutation,
      owner_id: channel.owner_id,
      ...(keep && { responseToStore: (done: Outcome) => keep(replyTo(done)) }),
    })
    return replyTo(outcome)
  }

  const limits = (remaining: number | null) =>
    rateLimitHeaders('cards', deps.daily_card_limit, remaining ?? 0, deps.now())

  routes.post(CARDS, caller, own, requireNeed('write'), async c => {
    const { bytes, value } = await readJson(c)
    const body = parse(createCardBody, value)
    const channel = c.get('channel')
    return answerOnce(c, idempotency, c.get('user_id'), bytes, keep =>
      write(channel, { kind: 'insert', id: randomUUID(), ...body }, keep, outcome => {
        const { card, remaining } = inserted(outcome)
        const { id, channel_id, created_at } = card
        return { status: 201, body: { id, channel_id, created_at }, headers: limits(remaining) }
      }),
    )
  })

  routes.put(`${CARDS}/by-key/:key`, caller, own, requireNeed('write'), async c => {
    const key = cardKey(c.req.param('key'), c.req.url)
    const { bytes, value } = await readJson(c)
    const body = parse(createCardBody, value)
    return answerOnce(c, idempotency, c.get('user_id'), bytes, keep =>
      write(c.get('channel'), { kind: 'upsert', id: randomUUID(), key, ...body }, keep, outcome => {
        if (outcome.kind !== 'inserted') return { status: 200, body: patchedAnswer(cardOf(outcome)) }
        const { id, channel_id, created_at } = outcome.card
        return { status: 201, body: { id, channel_id, key, created_at }, headers: limits(outcome.remaining) }
      }),
    )
  })

  routes.get(CARDS, caller, own, async c => {
    const { cards, next } = await listCards(sql, c.get('channel').id, readLimit(c), readCursor(c))
    return c.json({ cards: cards.map(cardAnswer), next_cursor: next === null ? null : writeCursor(next) })
  })

  for (const path of [`${CARDS}/by-key/:key`, `${CARDS}/:cardId`] as const) {
    const ref = (request: HonoRequest): CardRef => {
      const key = request.param('key')
      if (key !== undefined) return { key: cardKey(key, request.url) }
      const id = asUuid(request.param('cardId'))
      if (id === null) throw notFound('Card')
      return { id }
    }

    routes.get(path, caller, own, async c => {
      const found = await getCard(sql, c.get('channel').id, ref(c.req))
      return c.json(cardAnswer(found))
    })

    /** Unknown cards are 404 before anything else is said of the request. */
    const known = createMiddleware<ChannelEnv>(async (c, next) => {
      const card = ref(c.req)
      const { id } = c.get('channel')
      if (!('id' in card) || !feeds.get(id).holds(card.id)) await getCard(sql, id, card)
      await next()
    })

    routes.patch(path, caller, own, known, requireNeed('write'), async c => {
      const card = ref(c.req)
      const { bytes, value } = await readJson(c)
      const body = parse(patchCardBody, value)
      return answerOnce(c, idempotency, c.get('user_id'), bytes, keep =>
        write(c.get('channel'), { kind: 'patch', ref: card, body }, keep, outcome => ({
          status: 200,
          body: patchedAnswer(cardOf(outcome)),
        })),
      )
    })

    routes.delete(path, caller, own, known, requireNeed('write'), async c => {
      const { id, owner_id } = c.get('channel')
      await feeds.write(id, { mutation: { kind: 'delete', ref: ref(c.req) }, owner_id })
      return c.body(null, 204)
    })
  }

  return routes
}

/** `url`: as it was sent. Hono passes on what it cannot decode, where `%ff` would be the key `%25ff` means. */
function cardKey(key: string, url: string): string {
  if (key.includes('%') && !isDecodable(url)) throw badRequest('key must be UTF-8')
  if (key === '' || charCount(key) > CARD_KEY_MAX)
    throw badRequest(`key must have 1 to ${CARD_KEY_MAX} characters`)
  if (/\0|\p{Surrogate}/u.test(key)) throw badRequest('key must be well-formed Unicode without NUL')
  return key
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

function inserted(outcome: Outcome): Extract<Outcome, { kind: 'inserted' }> {
  if (outcome.kind !== 'inserted') throw new Error(`an insert ended as ${outcome.kind}`)
  return outcome
}

function cardOf(outcome: Outcome): PlacedCard {
  if (outcome.kind === 'deleted' || outcome.kind === 'head')
    throw new Error(`a card ended as ${outcome.kind}`)
  return outcome.card
}

function cardAnswer({ position: _, ...card }: PlacedCard) {
  return card
}

function patchedAnswer({ id, channel_id, status, blocks, updated_at, key }: PlacedCard) {
  return { id, channel_id, status, blocks, updated_at, ...(key !== undefined && { key }) }
}
