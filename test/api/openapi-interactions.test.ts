// Events, interactions and webhooks match the OpenAPI document.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { newForm } from '../../server/routes/examples.ts'
import { createChannel } from '../support/channels.ts'
import { listenTo } from '../support/event-stream.ts'
import { document, faultsOf, faultsOfAnswer, operations } from '../support/openapi.ts'
import { runWithOwner } from '../support/running.ts'

type Request = { headers: Record<string, unknown>; body: unknown }

const requests: Request[] = []
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  requests.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
  response.end()
  receiver.emit('received')
})

receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
afterAll(() => {
  receiver.close()
})
const { service, ann } = await runWithOwner()
const address = receiver.address()
const port = typeof address === 'object' ? address?.port : address
const channelId = await createChannel(ann, { mode: 'interactive', webhook_url: `http://127.0.0.1:${port}/` })

async function received(count: number): Promise<Request[]> {
  while (requests.length < count) await once(receiver, 'received')
  return requests
}

const schemaOf = (name: string) => ['components', 'schemas', name]
const EVENTS: Record<string, string> = {
  'card.inserted': 'Card',
  'card.updated': 'Card',
  'card.deleted': 'DeletedCard',
  'interaction.created': 'Interaction',
}

test('interactions arrive as documented in events, the list and the webhook', async () => {
  const stream = await listenTo(service.url, ann.api_key, channelId)
  const cards = `/channels/${channelId}/cards`
  const blocks = newForm.blocks.map((block, i) => ({ ...block, id: `block-${i}`, ...send(block.type) }))
  const { body: card } = await ann.key<{ id: string }>('POST', cards, { blocks })
  const { body: shown } = await ann.key<{
    blocks: { type: string; id: string; buttons?: { id: string }[] }[]
  }>('GET', `${cards}/${card.id}`)
  const { body: action } = await ann.key<{ id: string }>('POST', `/channels/${channelId}/actions`, {
    label: 'Go',
  })
  const button_id = shown.blocks.find(({ type }) => type === 'button')?.buttons?.[0]?.id
  const changes = [
    ['input', 'Because'],
    ['select', 'admin'],
    ['multiselect', ['Lab']],
    ['toggle', false],
  ].map(([type, value]) => ({
    type: 'input_change',
    block_id: shown.blocks.find(block => block.type === type)?.id,
    value,
  }))
  const triggers = [
    { type: 'button_click', button_id },
    ...changes,
    { type: 'header_action', action_id: action.id },
    { type: 'reply', text: 'Hello' },
  ]
  for (const trigger of triggers) {
    const body = { card_id: card.id, trigger }
    expect(await ann.session('POST', `/channels/${channelId}/interactions`, body)).toMatchObject({
      status: 201,
    })
  }
  expect((await ann.session('POST', `/channels/${channelId}/webhook-test`)).status).toBe(200)
  await ann.key('PATCH', `${cards}/${card.id}`, { status: 'success' })
  await ann.key('DELETE', `${cards}/${card.id}`)

  const events = await stream.take(triggers.length + 3)
  stream.leave()
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(Object.keys(EVENTS)))
  for (const { event, data } of events)
    expect(faultsOf(data, schemaOf(EVENTS[event] ?? ''), 'answer')).toEqual([])

  const listInteractions = operations.find(({ operationId }) => operationId === 'listInteractions')
  const list = await fetch(`${service.url}/api/v1/channels/${channelId}/interactions`, {
    headers: { Authorization: `Bearer ${ann.api_key}` },
  })
  expect(listInteractions && (await faultsOfAnswer(listInteractions, list))).toEqual([])

  const webhook = ['webhooks', 'interaction', 'post']
  for (const { headers, body } of await received(triggers.length + 1)) {
    expect(
      faultsOf(body, [...webhook, 'requestBody', 'content', 'application/json', 'schema'], 'answer'),
    ).toEqual([])
    for (const [i, { name }] of documentedHeaders().entries()) {
      const at = [...webhook, 'parameters', String(i), 'schema']
      expect(faultsOf(headers[name.toLowerCase()], at, 'answer')).toEqual([])
    }
  }
})

test('an unknown Last-Event-ID gets a reset with empty data', async () => {
  const stream = await listenTo(service.url, ann.api_key, channelId, 'unknown')
  expect(await stream.next()).toMatchObject({ event: 'reset', data: {} })
  stream.leave()
})

/** Blocks with values send changes at once. */
function send(type: string): object {
  return ['input', 'select', 'multiselect', 'toggle'].includes(type) ? { send_on_change: true } : {}
}

function documentedHeaders(): { name: string }[] {
  const parameters = document.webhooks.interaction?.post.parameters ?? []
  return parameters.flatMap(one => ('name' in one ? [one] : []))
}
