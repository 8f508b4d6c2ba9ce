// Channel attributes, for automations (/api/v1) and for the dashboard (/api).
import { type Attributes, attributes, attributesBody } from '../../shared/attributes.ts'
import { invalid } from '../errors.ts'
import { putAttributes, readAttributes, tooManyAttributes } from '../model/attributes.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { CREATED_AT, UPDATED_AT } from './examples.ts'
import { operation, serve } from './operation.ts'
import { readBody } from './request.ts'

const ATTRIBUTES = '/channels/:channelId/attributes'
const response = {
  schema: attributes,
  examples: {
    'Two attributes': { region: 'eu', team: 'platform', created_at: CREATED_AT, updated_at: UPDATED_AT },
  },
}

const get = operation('getAttributes', 'get', ATTRIBUTES, {
  summary: 'Read the attributes',
  need: 'read',
  responses: {
    200: {
      ...response,
      description:
        'All attributes, and when they were first and last changed. Until the first change, both are the channel’s `created_at`.',
    },
  },
})

const put = operation('putAttributes', 'put', ATTRIBUTES, {
  summary: 'Set attributes',
  description:
    'Keys are lowercased. The empty string clears an attribute; other attributes stay as they are.',
  need: 'write',
  body: {
    schema: attributesBody,
    examples: { 'Set two, clear one': { Team: 'platform', region: 'eu', stage: '' } },
  },
  responses: { 200: { ...response, description: 'All attributes as they are now.' } },
  errors: [invalid('created_at', 'is reserved'), invalid('team', 'must be a string'), tooManyAttributes()],
})

export const attributeOperations = [get, put]

export function addAttributeRoutes(routes: Routes, { sql, caller, own, now, publish }: RouteDeps) {
  serve(routes, get, caller, own, async c => {
    return c.json<Attributes>(await readAttributes(sql, c.get('channel').id))
  })

  serve(routes, put, caller, own, async c => {
    const channel = c.get('channel')
    const changes = await readBody(c, put.body.schema)
    const changed = await putAttributes(sql, channel, changes, now())
    publish({ kind: 'workspace_touched', workspace_id: channel.workspace_id })
    return c.json<Attributes>(changed)
  })
}
