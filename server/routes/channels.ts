// Channels, for automations (/api/v1) and for the dashboard (/api).

import { z } from 'zod'
import {
  type ChannelWithActions,
  channelWithActions,
  createChannelBody,
  createdChannel,
  type DeletedChannel,
  deletedChannel,
  type ListedChannel,
  listedChannel,
  patchChannelBody,
  type SummarizedChannel,
  withoutOwnerOnly,
} from '../../shared/channel.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { normalUuid } from '../../shared/text.ts'
import { accessDenied, invalid, notFound } from '../errors.ts'
import {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  listChannelsWithSummaries,
  patchChannel,
} from '../model/channels.ts'
import { requireWorkspace } from '../model/workspaces.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { ACTION_ID, CHANNEL_ID, CREATED_AT, UPDATED_AT, WORKSPACE_ID } from './examples.ts'
import { json, operation, serve } from './operation.ts'
import { readBody } from './request.ts'
import { respondOnce } from './stored-response.ts'

const CHANNEL = '/channels/:channelId'
const badFields = [
  invalid('name', REQUIRED),
  invalid('name', 'must be at most 80 characters'),
  invalid('icon', 'must be a single emoji'),
  invalid('webhook_url', 'must be a valid HTTP or HTTPS URL'),
  invalid('receipts', 'must be one of auto, on, off'),
]
const inWorkspace = [accessDenied(), notFound('Workspace'), invalid('workspace_id', REQUIRED)]

const fields = {
  name: 'Deploys',
  description: 'What is released, and by whom',
  mode: 'interactive',
  icon: '🚀',
  webhook_url: 'https://example.com/hooks/deploys',
  receipts: 'auto',
}
const deploys = {
  id: CHANNEL_ID,
  ...fields,
  workspace_id: WORKSPACE_ID,
  visibility: 'private',
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
  actions: [{ id: ACTION_ID, label: 'Freeze', style: 'danger', position: 0 }],
}
const { visibility: _, updated_at: __, actions: ___, ...listed } = withoutOwnerOnly(deploys)

const list = operation('listChannels', 'get', '/channels', {
  summary: 'List the channels of a workspace',
  need: 'read',
  parameters: ['workspace_id'],
  responses: {
    200: json(z.array(listedChannel), 'The channels, oldest first.', {
      'One channel': [{ ...listed, card_count: 12 }],
    }),
  },
  errors: inWorkspace,
})

const create = operation('createChannel', 'post', '/channels', {
  summary: 'Create a channel',
  description: 'Counts toward the daily channel limit.',
  need: 'full',
  idempotent: true,
  limit: 'channels',
  body: {
    schema: createChannelBody,
    examples: {
      'Only a name': { name: 'Deploys', workspace_id: WORKSPACE_ID },
      'Every field': {
        ...fields,
        workspace_id: WORKSPACE_ID,
        attributes: { team: 'platform', region: 'eu' },
      },
    },
  },
  responses: {
    201: json(createdChannel, 'The channel. `url` is the path of its page.', {
      Created: { id: CHANNEL_ID, name: 'Deploys', url: `/c/${CHANNEL_ID}`, workspace_id: WORKSPACE_ID },
    }),
  },
  errors: [...inWorkspace, ...badFields],
})

const get = operation('getChannel', 'get', CHANNEL, {
  summary: 'Read a channel',
  need: 'read',
  responses: {
    200: json(channelWithActions, 'The channel, with its header actions.', { 'A channel': deploys }),
  },
})

const patch = operation('patchChannel', 'patch', CHANNEL, {
  summary: 'Change a channel',
  description: 'Changes the given fields; null clears `description` and `webhook_url`.',
  need: 'full',
  body: {
    schema: patchChannelBody,
    examples: {
      'A new name': { name: 'Production deploys' },
      'Accept interactions and send them to a webhook': {
        mode: 'interactive',
        webhook_url: fields.webhook_url,
      },
    },
  },
  responses: {
    200: json(channelWithActions, 'The channel as it is now.', {
      Renamed: { ...deploys, name: 'Production deploys' },
    }),
  },
  errors: badFields,
})

const remove = operation('deleteChannel', 'delete', CHANNEL, {
  summary: 'Delete a channel',
  description: 'Deletes the channel permanently, with its cards, actions, attributes and interactions.',
  need: 'full',
  responses: { 200: json(deletedChannel, 'It is deleted.', { Deleted: { deleted: true } }) },
})

export const channelOperations = [list, create, get, patch, remove]

export function addChannelRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own, feeds, idempotency, config, now, publish } = deps

  serve(routes, list, caller, async c => {
    const id = c.req.query('workspace_id')
    if (id === undefined || id === '') throw invalid('workspace_id', REQUIRED)
    const workspace = await requireWorkspace(sql, c.get('user_id'), normalUuid(id), 'editor', c.get('key'))
    if (c.get('key')) return c.json<ListedChannel[]>(await listChannels(sql, workspace.id))
    const viewer = { user_id: c.get('user_id'), role: workspace.role, can_act: true }
    return c.json<SummarizedChannel[]>(await listChannelsWithSummaries(sql, workspace.id, viewer))
  })

  serve(routes, create, caller, async c => {
    const body = await readBody(c, create.body.schema)
    const workspace_id = normalUuid(body.workspace_id)
    const workspace = await requireWorkspace(sql, c.get('user_id'), workspace_id, 'editor', c.get('key'))
    return respondOnce(c, idempotency, async store => {
      const { remaining, ...channel } = await createChannel(
        sql,
        workspace.user_id,
        { ...body, workspace_id: workspace.id },
        config.daily_channel_limit,
        now(),
        created => store?.({ status: 201, body: created }),
      )
      publish({ kind: 'workspace_touched', workspace_id: workspace.id })
      const headers = rateLimitHeaders('channels', config.daily_channel_limit, remaining ?? 0, now())
      return { status: 201, body: channel, headers }
    })
  })

  serve(routes, get, caller, own, async c => {
    return c.json<ChannelWithActions>(await getChannel(sql, c.get('channel').id))
  })

  serve(routes, patch, caller, own, async c => {
    const body = await readBody(c, patch.body.schema)
    const patched = await patchChannel(sql, feeds, c.get('channel'), body, now())
    publish({ kind: 'workspace_touched', workspace_id: c.get('channel').workspace_id })
    return c.json<ChannelWithActions>(patched)
  })

  serve(routes, remove, caller, own, async c => {
    await deleteChannel(sql, feeds, c.get('channel'))
    publish({ kind: 'channel_deleted', channel_id: c.get('channel').id })
    return c.json<DeletedChannel>({ deleted: true })
  })
}
