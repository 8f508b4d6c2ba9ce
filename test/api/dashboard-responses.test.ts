// Every response of the dashboard's routes has the shape of its schema in shared/, and no other field.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { apiKey, createdApiKey } from '../../shared/api-key.ts'
import { attributeSetting, attributes } from '../../shared/attributes.ts'
import { card, cardList, createdCard, patchedCard } from '../../shared/card.ts'
import {
  channelWithActions,
  createdChannel,
  deletedChannel,
  summarizedChannel,
} from '../../shared/channel.ts'
import { cardPage, channelView, waitingCards } from '../../shared/channel-view.ts'
import { deliveryDetails, deliveryStatus, webhookSecret } from '../../shared/delivery.ts'
import { errorBody } from '../../shared/error.ts'
import { firstCards } from '../../shared/first-cards.ts'
import { createdHeaderAction, headerAction } from '../../shared/header-action.ts'
import { interaction } from '../../shared/interaction.ts'
import { interactionLog } from '../../shared/interaction-log.ts'
import { endedSessions, listedSession, signedOut } from '../../shared/session.ts'
import { usage, usageHistory } from '../../shared/usage.ts'
import { signedIn } from '../../shared/user.ts'
import {
  createdWorkspace,
  deletedWorkspace,
  listedWorkspace,
  slugCheck,
  workspaceWithRole,
} from '../../shared/workspace.ts'
import { viewedWorkspace } from '../../shared/workspace-live.ts'
import { readLog } from '../support/deliveries.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const receiver = await runReceiver()
const service = await runService({ WORKSPACE_LIMIT: '0' })

test('every response matches its schema', async () => {
  const scene = await buildScene(service, { webhook_url: receiver.url })
  const { session, workspace_id, slug } = scene.account
  const { body: click } = await scene.click()
  const channel = `/channels/${scene.channel_id}`
  const home = `/workspaces/${workspace_id}`
  const blocks = [{ type: 'text', content: 'Hello' }]
  const [entry] = await readLog(scene)
  const delivery_id = entry?.deliveries[0]?.id

  const calls: [z.ZodType, string, string, object?][] = [
    [signedIn, 'GET', '/auth/get-session'],
    [signedIn, 'PATCH', '/auth/account', { name: 'Ann' }],
    [z.array(listedSession), 'GET', '/auth/sessions'],
    [endedSessions, 'POST', '/auth/sessions/end-others', {}],
    [createdApiKey, 'POST', '/api-keys', { name: 'Key' }],
    [z.array(apiKey), 'GET', '/api-keys'],
    [usage, 'GET', '/usage'],
    [usageHistory, 'GET', '/usage/history'],
    [createdWorkspace, 'POST', '/workspaces', { name: 'Other' }],
    [z.array(listedWorkspace), 'GET', '/workspaces'],
    [workspaceWithRole, 'GET', home],
    [workspaceWithRole, 'PATCH', home, { name: 'Team' }],
    [slugCheck, 'GET', `${home}/slug-check?slug=free`],
    [attributes, 'PUT', `${channel}/attributes`, { team: 'core' }],
    [attributes, 'GET', `${channel}/attributes`],
    [attributeSetting, 'PUT', `${home}/attribute-settings`, { key: 'team' }],
    [z.array(attributeSetting), 'GET', `${home}/attribute-settings`],
    [viewedWorkspace, 'GET', `/workspaces/by-slug/${slug}`],
    [createdChannel, 'POST', '/channels', { name: 'New', workspace_id }],
    [z.array(summarizedChannel), 'GET', `/channels?workspace_id=${workspace_id}`],
    [channelWithActions, 'GET', channel],
    [channelWithActions, 'PATCH', channel, { description: 'Text' }],
    [createdHeaderAction, 'POST', `${channel}/actions`, { label: 'Go' }],
    [z.array(headerAction), 'GET', `${channel}/actions`],
    [createdCard, 'POST', `${channel}/cards`, { blocks }],
    [createdCard, 'PUT', `${channel}/cards/by-key/k`, { blocks }],
    [patchedCard, 'PUT', `${channel}/cards/by-key/k`, { blocks }],
    [patchedCard, 'PATCH', `${channel}/cards/by-key/k`, { status: 'error' }],
    [card, 'GET', `${channel}/cards/by-key/k`],
    [cardList, 'GET', `${channel}/cards`],
    [channelView, 'GET', `${channel}/view`],
    [firstCards, 'GET', `${channel}/first-cards`],
    [cardPage, 'GET', `${channel}/pages/0`],
    [waitingCards, 'GET', `${channel}/waiting`],
    [interaction, 'POST', `${channel}/interactions`, { trigger: { type: 'reply', text: 'Hi' } }],
    [deliveryStatus, 'GET', `${channel}/interactions/${click.interaction_id}/delivery`],
    [interactionLog, 'GET', `${channel}/interactions`],
    [deliveryDetails, 'GET', `${channel}/deliveries/${delivery_id}`],
    [deliveryDetails, 'POST', `${channel}/interactions/${click.interaction_id}/redeliver`, {}],
    [deliveryDetails, 'POST', `${channel}/webhook-test`, {}],
    [webhookSecret, 'GET', `${channel}/webhook-secret`],
    [webhookSecret, 'POST', `${channel}/webhook-secret`, {}],
    [errorBody, 'GET', '/channels/unknown'],
    [deletedChannel, 'DELETE', channel],
    [deletedWorkspace, 'DELETE', home],
    [signedOut, 'POST', '/auth/sign-out', {}],
  ]
  for (const [schema, method, path, body] of calls) {
    const response = await session(method, path, body)
    // Parsing drops fields that the schema doesn't have.
    expect(schema.safeParse(response.body), `${method} ${path}`).toEqual({
      success: true,
      data: response.body,
    })
  }
})
