// The cards of a channel, for automations (/api/v1) and for the dashboard (/api): push and list. One card: card.ts.
import { randomUUID } from 'node:crypto'
import {
  type Card,
  type CardList,
  type CreatedCard,
  cardList,
  createCardBody,
  createdCard,
  type PatchedCard,
  type PlacedCard,
} from '../../shared/card.ts'
import { badRequest } from '../errors.ts'
import type { Mutation, Outcome } from '../feed/mutation.ts'
import { listCards } from '../model/cards.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { CARD_ID, CHANNEL_ID, CREATED_AT, deployment, newDeployment, newForm } from './examples.ts'
import { type Content, json, operation, serve } from './operation.ts'
import { nextCursor, readBody, readCursor, readLimit } from './request.ts'
import { type JsonResponse, respondOnce } from './stored-response.ts'

export const CARDS = '/channels/:channelId/cards'

export const newCard = {
  schema: createCardBody,
  examples: { 'Text, rows and a button': newDeployment, 'Every block type': newForm },
} satisfies Content

export const badBlocks = [
  badRequest('blocks are required'),
  badRequest('blocks[2].buttons[0].label is required'),
  badRequest('status must be one of default, success, warning, error, pending'),
]

export const created = { id: CARD_ID, channel_id: CHANNEL_ID, created_at: CREATED_AT }

const createCard = operation('createCard', 'post', CARDS, {
  summary: 'Push a card',
  description: 'Counts toward the daily card limit.',
  need: 'write',
  idempotent: true,
  limit: 'cards',
  body: newCard,
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

export const cardListOperations = [createCard, listCardsOperation]

export function addCardRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own } = deps

  serve(routes, createCard, caller, own, async c => {
    const body = await readBody(c, createCard.body.schema)
    return writeCard(c, deps, { kind: 'insert', id: randomUUID(), ...body })
  })

  serve(routes, listCardsOperation, caller, own, async c => {
    const { cards, next } = await listCards(sql, c.get('channel').id, readLimit(c), readCursor(c))
    return c.json<CardList>({ cards: cards.map(withoutPosition), next_cursor: nextCursor(next) })
  })
}

/** Writes once per Idempotency-Key and body. */
export function writeCard(c: AppContext, deps: RouteDeps, mutation: Mutation): Promise<Response> {
  const { id, owner_id } = c.get('channel')
  return respondOnce(c, deps.idempotency, async store => {
    // Stored in the commit of the mutation.
    const responseToStore = store && ((outcome: Outcome) => store(responseTo(outcome, deps)))
    return responseTo(await deps.feeds.write(id, { mutation, owner_id, responseToStore }), deps)
  })
}

/** 201 for a new card, 200 for a card that existed. */
function responseTo(outcome: Outcome, { config, now }: RouteDeps): JsonResponse {
  if (outcome.kind === 'deleted' || outcome.kind === 'head')
    throw new Error(`a card mutation ended as ${outcome.kind}`)
  const { id, channel_id, status, blocks, created_at, updated_at, key } = outcome.card
  if (outcome.kind !== 'inserted') {
    const body: PatchedCard = { id, channel_id, status, blocks, updated_at, key }
    return { status: 200, body }
  }
  const body: CreatedCard = { id, channel_id, key, created_at }
  const headers = rateLimitHeaders('cards', config.daily_card_limit, outcome.remaining ?? 0, now())
  return { status: 201, body, headers }
}

export function withoutPosition({ position: _, acts: __, ...card }: PlacedCard): Card {
  return card
}
