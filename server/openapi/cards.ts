// Cards: pushed, patched, listed, addressed by id or by a key of one's own.
import { card, cardList, createCardBody, createdCard, patchedCard } from '../../shared/card.ts'
import { CARD_KEY_MAX } from '../../shared/limits.ts'
import { badRequest } from '../errors.ts'
import { dailyLimitReached } from '../rate-limit.ts'
import {
  CARD_ID,
  CHANNEL_ID,
  CREATED_AT,
  deployment,
  newDeployment,
  newForm,
  shippedBlocks,
  UPDATED_AT,
} from './examples.ts'
import type { Answer, Content, Operation, Tag } from './operation.ts'
import type { ParameterName } from './parameters.ts'
import { idempotent, onCard, onChannel, paged, withBody } from './refusals.ts'
import { documentedPatch } from './schemas.ts'

export const cardsTag: Tag = {
  name: 'Cards',
  description:
    'A card is an ordered array of blocks with a status. Viewers of the channel see it appear, change and go at once.',
}

const CARDS = '/channels/{channelId}/cards'
const limited = ['RateLimit-Policy', 'RateLimit', 'Idempotent-Replayed'] as const

const newCard: Content = {
  schema: createCardBody,
  examples: {
    deployment: { summary: 'Text, facts and a button', value: newDeployment },
    form: { summary: 'Every block type', value: newForm },
  },
}

const patchBody: Content = {
  schema: documentedPatch,
  examples: {
    shipped: {
      summary: 'Status, a row more, a button changed',
      value: {
        status: 'success',
        blocks: [
          { id: 'facts', patch: { append_rows: [{ key: 'Shipped by', value: 'Ann' }] } },
          {
            id: 'actions',
            patch: { buttons: [{ id: 'ship', patch: { label: 'Shipped', disabled: true } }] },
          },
        ],
      },
    },
    status: { summary: 'Status only', value: { status: 'error' } },
  },
}

const patched: Answer = {
  description: 'The card as it is now.',
  content: {
    schema: patchedCard,
    examples: {
      shipped: {
        summary: 'After the patch',
        value: {
          id: CARD_ID,
          channel_id: CHANNEL_ID,
          status: 'success',
          blocks: shippedBlocks,
          updated_at: UPDATED_AT,
        },
      },
    },
  },
  headers: ['Idempotent-Replayed'],
}

const limitReached = dailyLimitReached('cards', 200, Date.parse(CREATED_AT))
const badBlocks = [
  badRequest('blocks are required'),
  badRequest('blocks[2].buttons[0].label is required'),
  badRequest('status must be one of default, success, warning, error, pending'),
]

export const cardOperations: Operation[] = [
  {
    method: 'post',
    path: CARDS,
    operationId: 'createCard',
    tag: cardsTag.name,
    summary: 'Push a card',
    description: 'Counts toward the daily card limit.',
    need: 'write',
    parameters: ['channelId', 'Idempotency-Key'],
    body: newCard,
    answers: {
      201: {
        description: 'The card is stored, and on its way to the viewers.',
        content: {
          schema: createdCard.omit({ key: true }),
          examples: {
            created: {
              summary: 'Created',
              value: { id: CARD_ID, channel_id: CHANNEL_ID, created_at: CREATED_AT },
            },
          },
        },
        headers: [...limited],
      },
    },
    refusals: [...onChannel, ...badBlocks, ...withBody, ...idempotent, limitReached],
  },
  {
    method: 'get',
    path: CARDS,
    operationId: 'listCards',
    tag: cardsTag.name,
    summary: 'List the cards, newest first',
    need: 'read',
    parameters: ['channelId', 'limit', 'cursor'],
    answers: {
      200: {
        description: 'A page of cards. `next_cursor` is null on the last one.',
        content: {
          schema: cardList,
          examples: { page: { summary: 'The last page', value: { cards: [deployment], next_cursor: null } } },
        },
      },
    },
    refusals: [...onChannel, ...paged],
  },
  {
    method: 'put',
    path: `${CARDS}/by-key/{key}`,
    operationId: 'putCardByKey',
    tag: cardsTag.name,
    summary: 'Push or replace the card with a key',
    description:
      'Creates the card with that key, which counts toward the daily card limit; or replaces its blocks and status, which does not. Without `status` it is `default` in both cases.',
    need: 'write',
    parameters: ['channelId', 'key', 'Idempotency-Key'],
    body: newCard,
    answers: {
      201: {
        description: 'The card is created.',
        content: {
          schema: createdCard.required(),
          examples: {
            created: {
              summary: 'Created',
              value: { id: CARD_ID, channel_id: CHANNEL_ID, key: 'deploy-142', created_at: CREATED_AT },
            },
          },
        },
        headers: [...limited],
      },
      200: { ...patched, description: 'There was one: its blocks and status are replaced.' },
    },
    refusals: [...onChannel, badKey(), ...badBlocks, ...withBody, ...idempotent, limitReached],
  },
  ...['id' as const, 'key' as const].flatMap(byIdOrKey),
]

/** What one does with a card, named by its id or by its key. */
function byIdOrKey(by: 'id' | 'key'): Operation[] {
  const path = by === 'id' ? `${CARDS}/{cardId}` : `${CARDS}/by-key/{key}`
  const parameters: ParameterName[] = ['channelId', by === 'id' ? 'cardId' : 'key']
  const suffix = by === 'id' ? '' : 'ByKey'
  const words = by === 'id' ? '' : ' by its key'
  const refusals = by === 'id' ? onCard : [...onCard, badKey()]
  const tag = cardsTag.name
  return [
    {
      method: 'get',
      path,
      operationId: `getCard${suffix}`,
      tag,
      summary: `Read a card${words}`,
      need: 'read',
      parameters,
      answers: {
        200: {
          description: 'The card.',
          content: { schema: card, examples: { card: { summary: 'A card', value: deployment } } },
        },
      },
      refusals,
    },
    {
      method: 'patch',
      path,
      operationId: `patchCard${suffix}`,
      tag,
      summary: `Change a card${words}`,
      description:
        'Changes the status, blocks, or both: only the blocks that are listed, and within a block only the fields in `patch`. Which fields there are depends on the block’s type; a field that the type does not have is refused. All or nothing: with any error nothing changes. An empty patch changes nothing, and leaves `updated_at` alone.',
      need: 'write',
      parameters: [...parameters, 'Idempotency-Key'],
      body: patchBody,
      answers: { 200: patched },
      refusals: [
        ...refusals,
        badRequest('blocks[0]: no block with id "facts"'),
        badRequest('blocks[0].patch.rows is not a field of a text block that can be patched'),
        ...withBody,
        ...idempotent,
      ],
    },
    {
      method: 'delete',
      path,
      operationId: `deleteCard${suffix}`,
      tag,
      summary: `Delete a card${words}`,
      description: 'For good. Interactions with it are kept, with `card_id` null.',
      need: 'write',
      parameters,
      answers: { 204: { description: 'It is gone.' } },
      refusals,
    },
  ]
}

function badKey() {
  return badRequest(`key must have 1 to ${CARD_KEY_MAX} characters`)
}
