// Channel attributes: strings of the owner's choice, by key.
import { attributes, attributesBody } from '../../shared/attributes.ts'
import { badRequest } from '../errors.ts'
import { CREATED_AT, UPDATED_AT } from './examples.ts'
import type { Content, Operation, Tag } from './operation.ts'
import { onChannel, withBody } from './refusals.ts'

export const attributesTag: Tag = {
  name: 'Attributes',
  description:
    'Strings of your choice by key; a workspace shows them beside the channel, or filters by them.',
}

const content: Content = {
  schema: attributes,
  examples: {
    attributes: {
      summary: 'Two attributes',
      value: { region: 'eu', team: 'platform', created_at: CREATED_AT, updated_at: UPDATED_AT },
    },
  },
}

export const attributeOperations: Operation[] = [
  {
    method: 'get',
    path: '/channels/{channelId}/attributes',
    operationId: 'getAttributes',
    tag: attributesTag.name,
    summary: 'Read the attributes',
    need: 'read',
    parameters: ['channelId'],
    answers: {
      200: {
        description:
          'All attributes, with the first and the latest change; where there are none, with the channel’s `created_at`.',
        content,
      },
    },
    refusals: onChannel,
  },
  {
    method: 'put',
    path: '/channels/{channelId}/attributes',
    operationId: 'putAttributes',
    tag: attributesTag.name,
    summary: 'Set attributes',
    description:
      'Keys are lowercased. The empty string clears an attribute; keys that are not given stay as they are.',
    need: 'write',
    parameters: ['channelId'],
    body: {
      schema: attributesBody,
      examples: {
        set: { summary: 'Set two, clear one', value: { Team: 'platform', region: 'eu', stage: '' } },
      },
    },
    answers: { 200: { description: 'All attributes as they are now.', content } },
    refusals: [
      ...onChannel,
      badRequest('created_at is reserved'),
      badRequest('team must be a string'),
      ...withBody,
    ],
  },
]
