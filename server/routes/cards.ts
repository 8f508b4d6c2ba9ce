// The cards of a channel, for automations (/api/v1) and for the dashboard (/api): push and list. One card: card.ts.
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { type CardList, type CreatedCard, cardList, createCardBody, createdCard } from '../../shared/card.ts'
import { parse } from '../../shared/invalid.ts'
import { badRequest } from '../errors.ts'
import type { Outcome } from '../feed/mutation.ts'
import { listCards } from '../model/cards.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import {
  CARDS,
  cardKey,
  patched,
  patchedResponse,
  singleCardRoutes,
  withoutPosition,
  writeCard,
} from './card.ts'
import type { RouteDeps } from './deps.ts'
import { CARD_ID, CHANNEL_ID, CREATED_AT, deployment, newDeployment, newForm } from './examples.ts'
import { type Content, json, operation, serve } from './operation.ts'
import { type ChannelEnv, ownChannel, type RequireCaller } from './own-channel.ts'
import { nextCursor, readCursor, readJson, readLimit } from './request.ts'
import { type JsonResponse, respondOnce } from './stored-response.ts'

const body = {
  schema: createCardBody,
  examples: { 'Text, rows and a button': newDeployment, 'Every block type': newForm },
} satisfies Content

const badBlocks = [
  badRequest('blocks are required'),
  badRequest('blocks[2].buttons[0].label is required'),
  badRequest('status must be one of default, success, warning, error, pending'),
]

const created = { id: CARD_ID, channel_id: CHANNEL_ID, created_at: CREATED_AT }

const createCard = operation('createCard', 'post', CARDS, {
  summary: 'Push a card',
  description: 'Counts toward the daily card limit.',
  need: 'write',
  idempotent: true,
  limit: 'cards',
  body,
  responses: {
    201: json(createdCard.omit({ key: true }), 'The card is stored and on its way to the viewers.', {
      Created: created,
    }),
  },
  errors: badBlocks,
})

const listCardsOperation = operation('listCards', 'get', CARDS, {
  summary: 'List the cards, newest first',
  need: 'read',
  parameters: ['limit', 'cursor'],
  responses: {
    200: json(cardList, 'A page of cards. `next_cursor` is null on the last one.', {
      'The last page': { cards: [deployment], next_cursor: null },
    }),
  },
})

const putCardByKey = operation('putCardByKey', 'put', `${CARDS}/by-key/:key`, {
  summary: 'Push or replace the card with a key',
  description:
    'Creates a card with the key, which counts toward the daily card limit, or replaces the blocks and status of the existing one, which does not. Without `status`, the status is `default` in both cases.',
  need: 'write',
  idempotent: true,
  limit: 'cards',
  body,
  responses: {
    201: json(createdCard.required(), 'The card is created.', { Created: { ...created, key: 'deploy-142' } }),
    200: { ...patchedResponse, description: 'The blocks and status of the existing card are replaced.' },
  },
  errors: badBlocks,
})

export const cardListOperations = [createCard, listCardsOperation, putCardByKey]

export function cardRoutes(caller: RequireCaller, deps: RouteDeps) {
  const { sql, register, feeds, idempotency, config, now } = deps
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(register)

  const createdResponse = ({ card, remaining }: Extract<Outcome, { kind: 'inserted' }>): JsonResponse => {
    const { id, channel_id, key, created_at } = card
    const body: CreatedCard = { id, channel_id, ...(key !== undefined && { key }), created_at }
    return {
      status: 201,
      body,
      headers: rateLimitHeaders('cards', config.daily_card_limit, remaining ?? 0, now()),
    }
  }

  serve(routes, createCard, caller, own, async c => {
    const { bytes, value } = await readJson(c)
    const body = parse(createCard.body.schema, value)
    return respondOnce(c, idempotency, bytes, store =>
      writeCard(feeds, c.get('channel'), { kind: 'insert', id: randomUUID(), ...body }, store, outcome => {
        if (outcome.kind !== 'inserted') throw new Error(`an insert ended as ${outcome.kind}`)
        return createdResponse(outcome)
      }),
    )
  })

  serve(routes, putCardByKey, caller, own, async c => {
    const key = cardKey(c.req)
    const { bytes, value } = await readJson(c)
    const body = parse(putCardByKey.body.schema, value)
    const upsert = { kind: 'upsert' as const, id: randomUUID(), key, ...body }
    return respondOnce(c, idempotency, bytes, store =>
      writeCard(feeds, c.get('channel'), upsert, store, outcome =>
        outcome.kind === 'inserted' ? createdResponse(outcome) : { status: 200, body: patched(outcome) },
      ),
    )
  })

  serve(routes, listCardsOperation, caller, own, async c => {
    const { cards, next } = await listCards(sql, c.get('channel').id, readLimit(c), readCursor(c))
    return c.json<CardList>({ cards: cards.map(withoutPosition), next_cursor: nextCursor(next) })
  })

  routes.route('/', singleCardRoutes(caller, deps))
  return routes
}
