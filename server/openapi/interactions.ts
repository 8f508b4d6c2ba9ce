// Interactions and events: what people do in a channel, and what happens to its cards.
import { interactionList } from '../../shared/interaction.ts'
import { EVENT_STREAMS_PER_KEY } from '../../shared/limits.ts'
import { tooManyEventStreams } from '../errors.ts'
import { CARD_ID, CHANNEL_ID, click, deployment, reply } from './examples.ts'
import type { Operation, Tag } from './operation.ts'
import { onChannel, paged } from './refusals.ts'

export const interactionsTag: Tag = {
  name: 'Interactions and events',
  description:
    'What people do in an interactive channel. A webhook tells it at once; without a public address, poll for it or listen to the event stream.',
}

const stream = `: connected

event: card.inserted
id: 1.7.-1.0
data: ${JSON.stringify(deployment)}

event: interaction.created
id: 1.7.-1.1
data: ${JSON.stringify(reply)}

event: card.deleted
id: 1.8.-1.1
data: ${JSON.stringify({ id: CARD_ID, channel_id: CHANNEL_ID })}

`

export const interactionOperations: Operation[] = [
  {
    method: 'get',
    path: '/channels/{channelId}/interactions',
    operationId: 'listInteractions',
    tag: interactionsTag.name,
    summary: 'List the interactions, newest first',
    need: 'read',
    parameters: ['channelId', 'limit', 'cursor'],
    answers: {
      200: {
        description: 'A page of interactions. `next_cursor` is null on the last one.',
        content: {
          schema: interactionList,
          examples: {
            page: {
              summary: 'A click and a reply',
              value: { interactions: [click, reply], next_cursor: null },
            },
          },
        },
      },
    },
    refusals: [...onChannel, ...paged],
  },
  {
    method: 'get',
    path: '/channels/{channelId}/events',
    operationId: 'streamEvents',
    tag: interactionsTag.name,
    summary: 'Listen to what happens',
    description:
      'A stream of server-sent events that stays open; try it with `curl -N`. Each has as its data the JSON of the thing:\n\n' +
      '| event | data |\n|---|---|\n' +
      '| `card.inserted`, `card.updated` | `Card` |\n' +
      '| `card.deleted` | `DeletedCard` |\n' +
      '| `interaction.created` | `Interaction` |\n' +
      '| `reset` | `{}` |\n\n' +
      'After a break, send the `id` of the last event as `Last-Event-ID`, as browsers do by themselves: the stream goes on where it ended, at least ten minutes back. What is older or unknown gets one event `reset` first: read the channel anew. A comment every 15 s keeps the line open. The stream ends with its key, which may have ' +
      `${EVENT_STREAMS_PER_KEY} open at once.`,
    need: 'read',
    parameters: ['channelId', 'Last-Event-ID'],
    answers: {
      200: {
        description: 'Events, as they happen.',
        other: { type: 'text/event-stream', schema: { type: 'string' }, example: stream },
      },
    },
    refusals: [...onChannel, tooManyEventStreams()],
  },
]
