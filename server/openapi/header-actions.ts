// Header actions: buttons of a channel, beside its name.
import { z } from 'zod'
import { createdHeaderAction, createHeaderActionBody, headerAction } from '../../shared/header-action.ts'
import { badRequest } from '../errors.ts'
import { ACTION_ID, CHANNEL_ID } from './examples.ts'
import type { Operation, Tag } from './operation.ts'
import { onChannel, withBody } from './refusals.ts'

export const headerActionsTag: Tag = {
  name: 'Header actions',
  description:
    'Buttons of a channel, beside its name. They are changed, put in order and deleted in the dashboard.',
}

const freeze = { label: 'Freeze', style: 'danger', position: 0 }

export const headerActionOperations: Operation[] = [
  {
    method: 'get',
    path: '/channels/{channelId}/actions',
    operationId: 'listHeaderActions',
    tag: headerActionsTag.name,
    summary: 'List the header actions',
    need: 'read',
    parameters: ['channelId'],
    answers: {
      200: {
        description: 'By position, ascending.',
        content: {
          schema: z.array(headerAction),
          examples: { actions: { summary: 'One action', value: [{ id: ACTION_ID, ...freeze }] } },
        },
      },
    },
    refusals: onChannel,
  },
  {
    method: 'post',
    path: '/channels/{channelId}/actions',
    operationId: 'createHeaderAction',
    tag: headerActionsTag.name,
    summary: 'Create a header action',
    need: 'write',
    parameters: ['channelId'],
    body: {
      schema: createHeaderActionBody,
      examples: {
        label: { summary: 'A label will do', value: { label: 'Refresh' } },
        full: { summary: 'With style and place', value: freeze },
      },
    },
    answers: {
      201: {
        description: 'The action; viewers see it at once.',
        content: {
          schema: createdHeaderAction,
          examples: {
            created: { summary: 'Created', value: { id: ACTION_ID, channel_id: CHANNEL_ID, ...freeze } },
          },
        },
      },
    },
    refusals: [
      ...onChannel,
      badRequest('label is required'),
      badRequest('style must be one of primary, secondary, danger'),
      ...withBody,
    ],
  },
]
