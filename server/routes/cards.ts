// The cards of a channel, for automations (/api/v1) and for the dashboard (/api): push and list. One card: card.ts.
import { randomUUID } from 'node:crypto'
import {
  type Card,
  type CardList,
  type CardWithDecisions,
  type CreatedCard,
  cardList,
  cardWithDecisions,
  createCardBody,
  type DecisionRequest,
  type PatchedCard,
  type PlacedCard,
} from '../../shared/card.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { CARD_MAX_BYTES } from '../../shared/limits.ts'
import { apiError, decisionRefused, invalid, tooManyUnread } from '../errors.ts'
import type { Mutation, Outcome } from '../feed/turn/mutation.ts'
import { cardAt, listCards } from '../model/cards.ts'
import { decisionSummaries, readInquiry, readWarnings } from '../model/questions.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import { checkUnread, sendCounted } from './counted-response.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { CARD_ID, CHANNEL_ID, CREATED_AT, deployment, newDeployment, newForm, waiting } from './examples.ts'
import { type BodyDescription, json, operation, serve } from './operation.ts'
import { nextCursor, readBody, readCursor, readLimit } from './request.ts'
import { type JsonResponse, respondOnce } from './stored-response.ts'

export const CARDS = '/channels/:channelId/cards'

export const newCard = {
  schema: createCardBody,
  examples: { 'Text, rows and a button': newDeployment, 'Every block type': newForm },
} satisfies BodyDescription

export const tooLarge = invalid(
  'blocks',
  `must take at most ${CARD_MAX_BYTES} bytes as JSON`,
  'card_too_large',
)

export const badBlocks = [
  apiError('blocks_required'),
  invalid('blocks[2].buttons[0].label', REQUIRED),
  invalid('status', 'must be one of default, success, warning, error, pending'),
  tooLarge,
]

/** For every request that asks a question. */
export const keyWaits = decisionRefused('key_in_use', waiting)

export const waitingSummary = {
  id: '7d0c1a54-0a51-4c8e-9d63-1c6c0f6a3f10',
  block_id: 'actions',
  state: 'waiting',
  url: `https://feed.example.com/c/${CHANNEL_ID}?card=${CARD_ID}`,
}

export const created = { id: CARD_ID, channel_id: CHANNEL_ID, created_at: CREATED_AT }

const createCard = operation('createCard', 'post', CARDS, {
  summary: 'Push a card',
  description: 'Counts toward the daily card limit.',
  need: 'write',
  idempotent: true,
  limit: 'cards',
  body: newCard,
  responses: {
    201: json(
      cardWithDecisions.omit({ key: true, joined: true }).partial({ decisions: true }),
      'The card is stored and on its way to the viewers. `decisions`: if it asks something.',
      { Created: created },
    ),
    200: json(
      cardWithDecisions.omit({ key: true }),
      'The same question of the same API key waits already, under this `key`: no card is created.',
      { Joined: { ...created, decisions: [waitingSummary], joined: true } },
    ),
  },
  errors: [...badBlocks, keyWaits],
})

const listCardsOperation = operation('listCards', 'get', CARDS, {
  summary: 'List the cards, newest first',
  need: 'read',
  parameters: ['limit', 'cursor'],
  responses: {
    200: json(
      cardList,
      'A page of cards, fewer than `limit` if they are large. `next_cursor` is null on the last one.',
      {
        'The last page': { cards: [deployment], next_cursor: null },
      },
    ),
  },
  errors: [tooManyUnread()],
})

export const cardListOperations = [createCard, listCardsOperation]

export function addCardRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own } = deps

  serve(routes, createCard, caller, own, async c => {
    const { questions, ...card } = await readBody(c, createCard.body.schema)
    return writeCard(c, deps, { kind: 'insert', id: randomUUID(), ...card }, questions)
  })

  serve(routes, listCardsOperation, caller, own, async c => {
    const [limit, cursor] = [readLimit(c), readCursor(c)]
    checkUnread(c, deps)
    const { cards, next } = await listCards(sql, c.get('channel').id, limit, cursor)
    const now = deps.now()
    return sendCounted<CardList>(c, deps, {
      cards: cards.map(card => withoutPosition(cardAt(card, now))),
      next_cursor: nextCursor(next),
    })
  })
}

type CardMutation = Extract<Mutation, { kind: 'insert' | 'upsert' | 'patch' }>

/** Writes once per Idempotency-Key and body. `questions`: undefined if the request says nothing about decisions. */
export function writeCard(
  c: AppContext,
  deps: RouteDeps,
  mutation: CardMutation,
  questions: DecisionRequest[] | undefined,
): Promise<Response> {
  const { id, owner_id } = c.get('channel')
  return respondOnce(c, deps.idempotency, async store => {
    const read = questions && (await readQuestions(c, deps, mutation, questions))
    const inquiry = read?.inquiry
    const answer = (outcome: Outcome) => responseTo(outcome, deps, read?.warnings ?? [])
    // Stored in the commit of the mutation.
    const responseToStore = store && ((outcome: Outcome) => store(answer(outcome)))
    const bytes = c.get('body').length
    const request = {
      mutation: inquiry ? { ...mutation, inquiry } : mutation,
      owner_id,
      bytes,
      responseToStore,
    }
    return answer(await deps.feeds.get(id).writer.write(request))
  })
}

async function readQuestions(
  c: AppContext,
  { sql }: RouteDeps,
  mutation: CardMutation,
  questions: DecisionRequest[],
) {
  const user_id = c.get('user_id')
  const owner = c.get('channel').owner_id === user_id
  const caller = { user_id, key_id: c.get('key')?.id ?? null, owner }
  const inquiry = await readInquiry(sql, questions, caller, mutation.kind === 'patch' ? null : sentBlocks(c))
  return { inquiry, warnings: await readWarnings(sql, c.get('channel').id, inquiry) }
}

function sentBlocks(c: AppContext): unknown[] {
  const body: unknown = JSON.parse(Buffer.from(c.get('body')).toString())
  return isJsonObject(body) && Array.isArray(body.blocks) ? body.blocks : []
}

/** Call this after the commit of an interaction. */
export function noteInteraction({ webhooks, publish }: RouteDeps, channel_id: string): void {
  webhooks.wake()
  publish({ kind: 'interacted', channel_id })
}

/** 201 for a new card, 200 for a card that existed. */
function responseTo(
  outcome: Outcome,
  { config, now, public_url }: RouteDeps,
  warnings: string[],
): JsonResponse {
  if (!('card' in outcome) || outcome.kind === 'ended')
    throw new Error(`a card mutation ended as ${outcome.kind}`)
  const { id, channel_id, status, blocks, created_at, updated_at, key } = cardAt(outcome.card, now())
  if (outcome.kind === 'updated' || outcome.kind === 'unchanged') {
    const body: PatchedCard = { id, channel_id, status, blocks, updated_at, key }
    return { status: 200, body }
  }
  const created: CreatedCard = { id, channel_id, key, created_at }
  const decisions = decisionSummaries(outcome.card, public_url)
  const warned = warnings.length > 0 ? { warnings } : {}
  if (outcome.kind === 'joined') {
    const body: CardWithDecisions = { ...created, decisions, ...warned, joined: true }
    return { status: 200, body }
  }
  const body: CreatedCard | CardWithDecisions =
    decisions.length > 0 ? { ...created, decisions, ...warned } : created
  const headers = rateLimitHeaders('cards', config.daily_card_limit, outcome.remaining ?? 0, now())
  return { status: 201, body, headers }
}

export function withoutPosition({ position: _, acts: __, ...card }: PlacedCard): Card {
  return card
}
