// Header actions, for automations (/api/v1) and for the dashboard (/api).
import { z } from 'zod'
import {
  type CreatedHeaderAction,
  createdHeaderAction,
  createHeaderActionBody,
  type HeaderAction,
  headerAction,
  orderActionsBody,
  patchHeaderActionBody,
} from '../../shared/header-action.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { invalid } from '../errors.ts'
import { listHeaderActions } from '../model/channels.ts'
import {
  deleteAction,
  orderActions,
  patchAction,
  putAction,
  tooManyHeaderActions,
} from '../model/header-actions.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { ACTION_ID, CHANNEL_ID } from './examples.ts'
import { json, operation, serve } from './operation.ts'
import { readBody, readId } from './request.ts'

const ACTIONS = '/channels/:channelId/actions'
const ACTION = `${ACTIONS}/:actionId`
const freeze = { label: 'Freeze', style: 'danger', position: 0 }

const list = operation('listHeaderActions', 'get', ACTIONS, {
  summary: 'List the header actions',
  need: 'read',
  responses: {
    200: json(z.array(headerAction), 'The header actions, by ascending position.', {
      'One action': [{ id: ACTION_ID, ...freeze }],
    }),
  },
})

const create = operation('createHeaderAction', 'post', ACTIONS, {
  summary: 'Create a header action',
  need: 'write',
  body: {
    schema: createHeaderActionBody,
    examples: { 'Only a label': { label: 'Refresh' }, 'With style and position': freeze },
  },
  responses: {
    201: json(createdHeaderAction, 'The header action; viewers see it at once.', {
      Created: { id: ACTION_ID, channel_id: CHANNEL_ID, ...freeze },
    }),
  },
  errors: [
    invalid('label', REQUIRED),
    invalid('style', 'must be one of primary, secondary, danger'),
    tooManyHeaderActions(),
  ],
})

export const headerActionOperations = [list, create]

export function addHeaderActionRoutes(routes: Routes, { sql, caller, own, feeds }: RouteDeps) {
  serve(routes, list, caller, own, async c => {
    return c.json<HeaderAction[]>(await listHeaderActions(sql, c.get('channel').id))
  })

  serve(routes, create, caller, own, async c => {
    const body = await readBody(c, create.body.schema)
    return c.json<CreatedHeaderAction>(await putAction(feeds, c.get('channel'), body), 201)
  })
}

export function addDashboardActionRoutes(routes: Routes, { caller, own, feeds }: RouteDeps) {
  routes.put(`${ACTIONS}/order`, caller, own, async c => {
    const { action_ids } = await readBody(c, orderActionsBody)
    return c.json<HeaderAction[]>(await orderActions(feeds, c.get('channel'), action_ids))
  })

  routes.put(ACTION, caller, own, async c => {
    const id = readId(c, 'actionId', 'Action')
    const body = await readBody(c, createHeaderActionBody)
    return c.json<HeaderAction>(await putAction(feeds, c.get('channel'), body, id))
  })

  routes.patch(ACTION, caller, own, async c => {
    const id = readId(c, 'actionId', 'Action')
    const body = await readBody(c, patchHeaderActionBody)
    return c.json<HeaderAction>(await patchAction(feeds, c.get('channel'), id, body))
  })

  routes.delete(ACTION, caller, own, async c => {
    await deleteAction(feeds, c.get('channel'), readId(c, 'actionId', 'Action'))
    return c.body(null, 204)
  })
}
