// One card, by its id or by its key: read, patch, delete. Pushing and listing cards: cards.ts.
import { Hono, type HonoRequest } from 'hono'
import { createMiddleware } from 'hono/factory'
import {
  type Card,
  card,
  type PatchedCard,
  type PlacedCard,
  patchCardBody,
  patchedCard,
} from '../../shared/card.ts'
import { parse } from '../../shared/invalid.ts'
import { CARD_KEY_MAX } from '../../shared/limits.ts'
import { charCount } from '../../shared/text.ts'
import { badRequest, notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { CardRef, Mutation, Outcome } from '../feed/mutation.ts'
import { getCard } from '../model/cards.ts'
import type { RouteDeps } from './deps.ts'
import { CARD_ID, CHANNEL_ID, deployment, shippedBlocks, UPDATED_AT } from './examples.ts'
import { documentedPatch } from './openapi-schemas.ts'
import { type Content, json, operation, type ResponseDescription, serve } from './operation.ts'
import { type ChannelEnv, ownChannel, type RequireCaller } from './own-channel.ts'
import { asUuid, orBadRequest, readJson } from './request.ts'
import { type JsonResponse, respondOnce, type Store } from './stored-response.ts'

export const cardsTag = {
  name: 'Cards',
  description:
    'A card is an ordered array of blocks with a status. Viewers of the channel see every change at once.',
}

export const CARDS = '/channels/:channelId/cards'

export const patchedResponse: ResponseDescription = json(patchedCard, 'The card as it is now.', {
  'After the patch': {
    id: CARD_ID,
    channel_id: CHANNEL_ID,
    status: 'success',
    blocks: shippedBlocks,
    updated_at: UPDATED_AT,
  },
})

const patchBody = {
  schema: patchCardBody,
  documented: documentedPatch,
  examples: {
    'Status, one more row, a changed button': {
      status: 'success',
      blocks: [
        { id: 'facts', patch: { append_rows: [{ key: 'Shipped by', value: 'Ann' }] } },
        { id: 'actions', patch: { buttons: [{ id: 'ship', patch: { label: 'Shipped', disabled: true } }] } },
      ],
    },
    'Status only': { status: 'error' },
  },
} satisfies Content

function operationsOn(by: 'id' | 'key') {
  const [path, suffix, words] =
    by === 'id' ? [`${CARDS}/:cardId`, '', ''] : [`${CARDS}/by-key/:key`, 'ByKey', ' by its key']
  const get = operation(`getCard${suffix}`, 'get', path, {
    summary: `Read a card${words}`,
    need: 'read',
    responses: { 200: json(card, 'The card.', { 'A card': deployment }) },
  })
  const patch = operation(`patchCard${suffix}`, 'patch', path, {
    summary: `Change a card${words}`,
    description:
      'Changes the status, blocks, or both: only the blocks in the list, and within a block only the fields in `patch`. The block’s type decides which fields there are; any other field is an error. After an error nothing has changed. An empty patch changes nothing, not even `updated_at`.',
    need: 'write',
    idempotent: true,
    body: patchBody,
    responses: { 200: patchedResponse },
    errors: [
      badRequest('blocks[0]: no block with id "facts"'),
      badRequest('blocks[0].patch.rows is not a field of a text block that can be patched'),
    ],
  })
  const remove = operation(`deleteCard${suffix}`, 'delete', path, {
    summary: `Delete a card${words}`,
    description: 'Deletes the card permanently. Its interactions stay, with `card_id` null.',
    need: 'write',
    responses: { 204: { description: 'The card is deleted.' } },
  })
  return { get, patch, remove }
}

const byId = operationsOn('id')
const byKey = operationsOn('key')
export const cardOperations = [...Object.values(byId), ...Object.values(byKey)]

export function singleCardRoutes(caller: RequireCaller, { sql, register, feeds, idempotency }: RouteDeps) {
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(register)

  /** An unknown card returns 404 before the scope and the body are checked. */
  const existing = createMiddleware<ChannelEnv>(async (c, next) => {
    const ref = cardRef(c.req)
    const { id } = c.get('channel')
    if (!('id' in ref) || !feeds.get(id).holds(ref.id)) await getCard(sql, id, ref)
    await next()
  })

  for (const { get, patch, remove } of [byKey, byId]) {
    serve(routes, get, caller, own, async c => {
      return c.json<Card>(withoutPosition(await getCard(sql, c.get('channel').id, cardRef(c.req))))
    })

    serve(routes, patch, caller, own, existing, async c => {
      const ref = cardRef(c.req)
      const { bytes, value } = await readJson(c)
      const body = parse(patch.body.schema, value)
      const respond = (outcome: Outcome): JsonResponse => ({ status: 200, body: patched(outcome) })
      return respondOnce(c, idempotency, bytes, store =>
        writeCard(feeds, c.get('channel'), { kind: 'patch', ref, body }, store, respond),
      )
    })

    serve(routes, remove, caller, own, existing, async c => {
      const { id, owner_id } = c.get('channel')
      await feeds.write(id, { mutation: { kind: 'delete', ref: cardRef(c.req) }, owner_id })
      return c.body(null, 204)
    })
  }

  return routes
}

/** `respond` makes the response, which is stored in the commit of the mutation. */
export async function writeCard(
  feeds: Feeds,
  channel: { id: string; owner_id: string },
  mutation: Mutation,
  store: Store,
  respond: (outcome: Outcome) => JsonResponse,
): Promise<JsonResponse> {
  const outcome = await feeds.write(channel.id, {
    mutation,
    owner_id: channel.owner_id,
    ...(store && { responseToStore: (done: Outcome) => store(respond(done)) }),
  })
  return respond(outcome)
}

export function patched(outcome: Outcome): PatchedCard {
  if (outcome.kind === 'deleted' || outcome.kind === 'head')
    throw new Error(`a card mutation ended as ${outcome.kind}`)
  const { id, channel_id, status, blocks, updated_at, key } = outcome.card
  return { id, channel_id, status, blocks, updated_at, ...(key !== undefined && { key }) }
}

export function withoutPosition({ position: _, ...card }: PlacedCard): Card {
  return card
}

function cardRef(request: HonoRequest): CardRef {
  if (request.param('key') !== undefined) return { key: cardKey(request) }
  const id = asUuid(request.param('cardId'))
  if (id === null) throw notFound('Card')
  return { id }
}

/** Hono keeps escapes that it can't decode, so `%ff` would mean the same key as `%25ff`. */
export function cardKey(request: HonoRequest): string {
  const key = request.param('key') ?? ''
  if (key.includes('%')) orBadRequest(() => decodeURIComponent(request.url), 'key must be UTF-8')
  if (key === '' || charCount(key) > CARD_KEY_MAX)
    throw badRequest(`key must have 1 to ${CARD_KEY_MAX} characters`)
  if (/\0|\p{Surrogate}/u.test(key)) throw badRequest('key must be well-formed Unicode without NUL')
  return key
}
