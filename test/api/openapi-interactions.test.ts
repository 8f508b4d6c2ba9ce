// Events, interactions and webhooks match the OpenAPI document.
import { expect, test } from 'vitest'
import { newForm } from '../../server/routes/examples.ts'
import { listenTo } from '../support/event-stream.ts'
import { openapi, operations, problemsOf, problemsOfResponse } from '../support/openapi.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { create } from '../support/service.ts'

const receiver = await runReceiver()
const service = await runService()
const blocks = newForm.blocks.map(block => ({
  ...block,
  id: block.type,
  ...('buttons' in block && { buttons: [{ id: 'go', label: 'Go' }] }),
  ...(['input', 'select', 'multiselect', 'toggle'].includes(block.type) && { send_on_change: true }),
}))
const scene = await buildScene(service, { blocks, webhook_url: receiver.url })
const { account, channel_id, action_id } = scene

const schemaOf = (name: string) => ['components', 'schemas', name]
const EVENTS: Record<string, string> = {
  'card.inserted': 'Card',
  'card.updated': 'Card',
  'card.deleted': 'DeletedCard',
  'interaction.created': 'Interaction',
}

test('interactions arrive as documented in events, the list and the webhook', async () => {
  const stream = await listenTo(service.url, account.api_key, channel_id)
  const cards = `/channels/${channel_id}/cards`
  const { id } = await create(account.key, cards, { blocks })
  const triggers = [
    { type: 'button_click', button_id: 'go' },
    ...Object.entries({ input: 'Because', select: 'admin', multiselect: ['Lab'], toggle: false }).map(
      ([block_id, value]) => ({ type: 'input_change', block_id, value }),
    ),
    { type: 'header_action', action_id },
    { type: 'reply', text: 'Hello' },
  ]
  for (const trigger of triggers)
    expect(await scene.interact({ card_id: id, trigger })).toMatchObject({ status: 201 })
  expect((await account.session('POST', `/channels/${channel_id}/webhook-test`)).status).toBe(200)
  await account.key('PATCH', `${cards}/${id}`, { status: 'success' })
  await account.key('DELETE', `${cards}/${id}`)

  const events = await stream.take(triggers.length + 3)
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(Object.keys(EVENTS)))
  for (const { event, data } of events)
    expect(problemsOf(data, schemaOf(EVENTS[event] ?? ''), 'response')).toEqual([])

  const listInteractions = operations.find(({ operationId }) => operationId === 'listInteractions')
  const list = await fetch(`${service.url}/api/v1/channels/${channel_id}/interactions`, {
    headers: { Authorization: `Bearer ${account.api_key}` },
  })
  expect(listInteractions && (await problemsOfResponse(listInteractions, list))).toEqual([])

  const webhook = ['webhooks', 'interaction', 'post']
  for (const { headers, body } of await receiver.hasReceived(triggers.length + 1)) {
    const at = [...webhook, 'requestBody', 'content', 'application/json', 'schema']
    expect(problemsOf(JSON.parse(body), at, 'response')).toEqual([])
    for (const [i, { name }] of documentedHeaders().entries()) {
      const at = [...webhook, 'parameters', String(i), 'schema']
      expect(problemsOf(headers[name.toLowerCase()], at, 'response')).toEqual([])
    }
  }
})

test('an unknown Last-Event-ID gets a reset with empty data', async () => {
  const stream = await listenTo(service.url, account.api_key, channel_id, 'unknown')
  expect(await stream.next()).toMatchObject({ event: 'reset', data: {} })
})

function documentedHeaders(): { name: string }[] {
  const parameters = openapi.webhooks.interaction?.post.parameters ?? []
  return parameters.flatMap(one => ('name' in one ? [one] : []))
}
