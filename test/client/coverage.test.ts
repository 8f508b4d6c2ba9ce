// Every operation of the API reference has a method of the client, which sends exactly that request.
import { expect, test } from 'vitest'
import type { ChannelHandle } from '../../client/channel.ts'
import { ChannelFeed } from '../../client/channel-feed.ts'
import type { DecisionHandle } from '../../client/decision.ts'
import { operations } from '../support/openapi.ts'

type Given = { client: ChannelFeed; feed: ChannelHandle; decision: DecisionHandle }
type Call = (given: Given) => Promise<unknown>

const byKey = { key: 'k' }
const METHODS: Record<string, Call> = {
  listWorkspaces: ({ client }) => client.workspaces(),
  listChannels: ({ client }) => client.channels('w'),
  createChannel: ({ client }) => client.createChannel({ name: 'x', workspace_id: 'w' }),
  getChannel: ({ feed }) => feed.get(),
  patchChannel: ({ feed }) => feed.update({}),
  deleteChannel: ({ feed }) => feed.delete(),
  createCard: ({ feed }) => feed.push([]),
  putCardByKey: ({ feed }) => feed.push([], byKey),
  listCards: ({ feed }) => feed.cards().page(),
  getCard: ({ feed }) => feed.card('id'),
  getCardByKey: ({ feed }) => feed.card(byKey),
  patchCard: ({ feed }) => feed.patch('id', {}),
  patchCardByKey: ({ feed }) => feed.patch(byKey, {}),
  deleteCard: ({ feed }) => feed.remove('id'),
  deleteCardByKey: ({ feed }) => feed.remove(byKey),
  getAttributes: ({ feed }) => feed.attributes(),
  putAttributes: ({ feed }) => feed.setAttributes({}),
  listHeaderActions: ({ feed }) => feed.actions(),
  createHeaderAction: ({ feed }) => feed.addAction({ label: 'x' }),
  listInteractions: ({ feed }) => feed.interactions().page(),
  streamEvents: ({ feed }) => feed.events().next(),
  listDecisions: ({ feed }) => feed.decisions().page(),
  getCardDecision: ({ feed }) => feed.cardDecision('id'),
  getCardDecisionByKey: ({ feed }) => feed.cardDecision(byKey),
  getDecision: ({ decision }) => decision.get(),
  getSignedDecision: ({ decision }) => decision.signed(),
  decide: ({ decision }) => decision.decide('yes'),
  withdrawDecision: ({ decision }) => decision.cancel(),
}

/** For people who read the reference. */
const WITHOUT = ['getOpenApi', 'getDocs']

test('every operation of the API reference has a method of the client', () => {
  const named = [...Object.keys(METHODS), ...WITHOUT].sort()
  expect(named).toEqual(operations.map(({ operationId }) => operationId).sort())
})

test.each(Object.entries(METHODS))('the method for %s sends this request', async (operationId, call) => {
  const sent: string[] = []
  const fetch: typeof globalThis.fetch = async (url, { method } = {}) => {
    sent.push(`${method} ${new URL(String(url)).pathname}`)
    // 400 ends a stream that would wait for events.
    return operationId === 'streamEvents' ? new Response('{}', { status: 400 }) : Response.json({})
  }
  const client = new ChannelFeed({ url: 'http://feed.example.com', key: 'cf_test', fetch })
  const feed = client.channel('c')
  await call({ client, feed, decision: client.decision('c/d') }).catch(() => {})
  const operation = operations.find(one => one.operationId === operationId)
  const ids: Record<string, string> = { channelId: 'c', cardId: 'id', key: 'k', decisionId: 'd' }
  const path = operation?.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
  expect(sent).toEqual([`${operation?.method} /api/v1${path}`])
})
