// Channels: found, made, changed, deleted.

import { z } from 'zod'
import {
  channelWithActions,
  createChannelBody,
  createdChannel,
  deletedChannel,
  listedChannel,
  patchChannelBody,
} from '../../shared/channel.ts'
import { accessDenied, badRequest, notFound, unauthorized } from '../errors.ts'
import { dailyLimitReached } from '../rate-limit.ts'
import { ACTION_ID, CHANNEL_ID, CREATED_AT, UPDATED_AT, WORKSPACE_ID } from './examples.ts'
import type { Operation, Tag } from './operation.ts'
import { idempotent, onChannel, withBody } from './refusals.ts'

export const channelsTag: Tag = {
  name: 'Channels',
  description: 'A channel is a feed of cards with a page of its own, `/c/{channelId}`.',
}

const tag = channelsTag.name
const badFields = [
  badRequest('name must be at most 80 characters'),
  badRequest('icon must be a single emoji'),
  badRequest('webhook_url must be a valid HTTP or HTTPS URL'),
]
const inWorkspace = [
  unauthorized(),
  accessDenied(),
  notFound('Workspace'),
  badRequest('workspace_id is required'),
]

const deploys = {
  id: CHANNEL_ID,
  name: 'Deploys',
  description: 'What goes out, and who let it',
  mode: 'interactive',
  icon: '🚀',
  webhook_url: 'https://example.com/hooks/deploys',
  workspace_id: WORKSPACE_ID,
  visibility: 'private',
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
  actions: [{ id: ACTION_ID, label: 'Freeze', style: 'danger', position: 0 }],
}
const { webhook_url: _, visibility: __, updated_at: ___, actions: ____, ...listed } = deploys

export const channelOperations: Operation[] = [
  {
    method: 'get',
    path: '/channels',
    operationId: 'listChannels',
    tag,
    summary: 'List the channels of a workspace',
    need: 'read',
    parameters: ['workspace_id'],
    answers: {
      200: {
        description: 'The oldest first.',
        content: {
          schema: z.array(listedChannel),
          examples: { channels: { summary: 'One channel', value: [{ ...listed, card_count: 12 }] } },
        },
      },
    },
    refusals: inWorkspace,
  },
  {
    method: 'post',
    path: '/channels',
    operationId: 'createChannel',
    tag,
    summary: 'Create a channel',
    description: 'Counts toward the daily channel limit.',
    need: 'full',
    parameters: ['Idempotency-Key'],
    body: {
      schema: createChannelBody,
      examples: {
        named: { summary: 'A name will do', value: { name: 'Deploys', workspace_id: WORKSPACE_ID } },
        full: {
          summary: 'With everything',
          value: {
            name: 'Deploys',
            workspace_id: WORKSPACE_ID,
            description: 'What goes out, and who let it',
            mode: 'interactive',
            icon: '🚀',
            webhook_url: 'https://example.com/hooks/deploys',
            attributes: { team: 'platform', region: 'eu' },
          },
        },
      },
    },
    answers: {
      201: {
        description: 'The channel. `url` is the path of its page.',
        content: {
          schema: createdChannel,
          examples: {
            created: {
              summary: 'Created',
              value: { id: CHANNEL_ID, name: 'Deploys', url: `/c/${CHANNEL_ID}`, workspace_id: WORKSPACE_ID },
            },
          },
        },
        headers: ['RateLimit-Policy', 'RateLimit', 'Idempotent-Replayed'],
      },
    },
    refusals: [
      badRequest('name is required'),
      ...inWorkspace,
      ...badFields,
      ...withBody,
      ...idempotent,
      dailyLimitReached('channels', 50, Date.parse(CREATED_AT)),
    ],
  },
  {
    method: 'get',
    path: '/channels/{channelId}',
    operationId: 'getChannel',
    tag,
    summary: 'Read a channel',
    need: 'read',
    parameters: ['channelId'],
    answers: {
      200: {
        description: 'The channel, with its header actions.',
        content: {
          schema: channelWithActions,
          examples: { channel: { summary: 'A channel', value: deploys } },
        },
      },
    },
    refusals: onChannel,
  },
  {
    method: 'patch',
    path: '/channels/{channelId}',
    operationId: 'patchChannel',
    tag,
    summary: 'Change a channel',
    description: 'Only what is given changes; null clears `description` and `webhook_url`.',
    need: 'full',
    parameters: ['channelId'],
    body: {
      schema: patchChannelBody,
      examples: {
        rename: { summary: 'A new name', value: { name: 'Production deploys' } },
        interactive: {
          summary: 'Let people act, and hear of it',
          value: { mode: 'interactive', webhook_url: 'https://example.com/hooks/deploys' },
        },
      },
    },
    answers: {
      200: {
        description: 'The channel as it is now.',
        content: {
          schema: channelWithActions,
          examples: { channel: { summary: 'Renamed', value: { ...deploys, name: 'Production deploys' } } },
        },
      },
    },
    refusals: [...onChannel, ...badFields, ...withBody],
  },
  {
    method: 'delete',
    path: '/channels/{channelId}',
    operationId: 'deleteChannel',
    tag,
    summary: 'Delete a channel',
    description: 'For good, with its cards, actions, attributes and interactions.',
    need: 'full',
    parameters: ['channelId'],
    answers: {
      200: {
        description: 'It is gone.',
        content: {
          schema: deletedChannel,
          examples: { deleted: { summary: 'Deleted', value: { deleted: true } } },
        },
      },
    },
    refusals: onChannel,
  },
]
