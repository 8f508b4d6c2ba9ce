// One card, by its id or its key: read, patch, delete, and push with a key. Push without a key, and list: cards.ts.
import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { type Card, card, cardWithDecisions, patchCardBody, patchedCard } from '../../shared/card.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { CARD_KEY_MAX } from '../../shared/limits.ts'
import { charCount } from '../../shared/text.ts'
import { decisionRefused, invalid, questionEnded, tooManyUnread } from '../errors.ts'
import type { CardRef } from '../feed/turn/mutation.ts'
import { cardAt, getCard } from '../model/cards.ts'
import { questionsOfPatch } from '../model/questions.ts'
import {
  badBlocks,
  CARDS,
  created,
  keyWaits,
  newCard,
  tooLarge,
  withoutPosition,
  writeCard,
} from './cards.ts'
import { sendCounted } from './counted-response.ts'
import type { AppContext, AppEnv, RouteDeps, Routes } from './deps.ts'
import { isDotKey } from './dot-keys.ts'
import { CARD_ID, CHANNEL_ID, decided, deployment, shippedBlocks, UPDATED_AT, waiting } from './examples.ts'
import { documentedPatch } from './openapi-schemas.ts'
import { type BodyDescription, json, operation, type ResponseDescription, serve } from './operation.ts'
import { checkText, orThrow, readBody, readId } from './request.ts'

const patchedResponse: ResponseDescription = json(patchedCard, 'The card as it is now.', {
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
} satisfies BodyDescription

const putByKey = operation('putCardByKey', 'put', `${CARDS}/by-key/:key`, {
  summary: 'Create or replace a card by its key',
  description:
    'Creates a card with the key, which counts toward the daily card limit, or replaces the blocks and status of the existing one, which does not. Without `status`, the status is `default` in both cases.',
  need: 'write',
  idempotent: true,
  limit: 'cards',
  body: newCard,
  responses: {
    201: json(
      cardWithDecisions.required({ key: true }).omit({ joined: true }).partial({ decisions: true }),
      'The card is created. `decisions`: if it asks something.',
      { Created: { ...created, key: 'deploy-142' } },
    ),
    200: { ...patchedResponse, description: 'The blocks and status of the existing card are replaced.' },
  },
  errors: [
    ...badBlocks,
    keyWaits,
    questionEnded('blocks[1].decision', decided),
    decisionRefused('asked_again', waiting),
  ],
})

function operationsOn(by: 'id' | 'key') {
  const [path, suffix, words] =
    by === 'id' ? [`${CARDS}/:cardId`, '', ''] : [`${CARDS}/by-key/:key`, 'ByKey', ' by its key']
  const get = operation(`getCard${suffix}`, 'get', path, {
    summary: `Read a card${words}`,
    need: 'read',
    responses: { 200: json(card, 'The card.', { 'A card': deployment }) },
    errors: [tooManyUnread()],
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
      invalid('blocks[0].id', REQUIRED),
      invalid('blocks[0]', ': no block with id "facts"', 'unknown_block'),
      invalid('blocks[0].buttons[1]', ': no button with id "ship"', 'unknown_button'),
      invalid('blocks[0].patch.rows', 'is not a field of a text block that can be patched'),
      tooLarge,
      keyWaits,
      questionEnded('blocks[0].patch.decision', decided),
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
export const cardOperations = [putByKey, ...Object.values(byId), ...Object.values(byKey)]

export function addSingleCardRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own, feeds } = deps

  /** An unknown card returns 404 before the scope and the body are checked. */
  const existing = createMiddleware<AppEnv>(async (c, next) => {
    const ref = cardRef(c)
    const { id } = c.get('channel')
    if (!('id' in ref) || !feeds.get(id).document.holds(ref.id)) await getCard(sql, id, ref)
    await next()
  })

  serve(routes, putByKey, caller, own, async c => {
    const key = cardKey(c)
    const { questions, ...card } = await readBody(c, putByKey.body.schema)
    return writeCard(c, deps, { kind: 'upsert', id: randomUUID(), key, ...card }, questions)
  })

  for (const { get, patch, remove } of [byKey, byId]) {
    serve(routes, get, caller, own, async c => {
      const card = await getCard(sql, c.get('channel').id, cardRef(c))
      return sendCounted<Card>(c, deps, withoutPosition(cardAt(card, deps.now())))
    })

    serve(routes, patch, caller, own, existing, async c => {
      const ref = cardRef(c)
      const body = await readBody(c, patch.body.schema)
      const questions = questionsOfPatch(body)
      return writeCard(c, deps, { kind: 'patch', ref, body }, questions.length > 0 ? questions : undefined)
    })

    serve(routes, remove, caller, own, existing, async c => {
      const { id, owner_id } = c.get('channel')
      const request = { mutation: { kind: 'delete', ref: cardRef(c) }, owner_id } as const
      await feeds.get(id).writer.write(request)
      return c.body(null, 204)
    })
  }
}

export function cardRef(c: AppContext): CardRef {
  return c.req.param('key') === undefined ? { id: readId(c, 'cardId', 'Card') } : { key: cardKey(c) }
}

/** Hono keeps escapes that it can't decode, so `%ff` would mean the same key as `%25ff`. */
function cardKey({ req }: AppContext): string {
  const key = req.param('key') ?? ''
  if (key.includes('%'))
    orThrow(
      () => decodeURIComponent(req.url),
      () => invalid('key', 'must be UTF-8'),
    )
  if (isDotKey(key)) throw invalid('key', 'must not be . or ..')
  if (key === '' || charCount(key) > CARD_KEY_MAX)
    throw invalid('key', `must have 1 to ${CARD_KEY_MAX} characters`)
  checkText('key', key)
  return key
}
