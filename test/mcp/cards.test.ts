// The tools that show and list cards, the channel they use, and the resources.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { card as cardShape, patchedCard } from '../../shared/card.ts'
import { createAccount, createTestWorkspace } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { connectMcp } from '../support/mcp-clients.ts'
import { postMcp, pressAnswer, resultIn } from '../support/mcp-scene.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { create } from '../support/service.ts'

const service = await runService({ WORKSPACE_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0' })
const { url } = service
const scene = await buildScene(service)
const { account, channel_id } = scene

const connect = (api_key = account.api_key) => connectMcp({ url, api_key, over: 'http' })
const refusal = (text: string) => ({ isError: true, content: [{ type: 'text', text }] })
const note = { type: 'text', id: 'note', content: 'Hello' }
const channelList = z.object({ channels: z.array(z.object({ id: z.string() }).loose()) })
const readCard = async (id: unknown) => (await account.key('GET', `/channels/${channel_id}/cards/${id}`)).body

describe('cards', () => {
  test('push_card shows a card, and with a key it replaces the card', async () => {
    const { call } = await connect()
    const { structuredContent: first } = await call('push_card', {
      blocks: [note],
      status: 'pending',
      key: 'build',
    })
    expect(first).toEqual({ card_id: expect.any(String), channel_id, warnings: [] })
    const { structuredContent: second } = await call('push_card', { blocks: [note], key: 'build' })
    expect(second?.card_id).toBe(first?.card_id)
    expect(await readCard(first?.card_id)).toMatchObject({ status: 'default', blocks: [note] })
  })

  test('push_card passes on what looks odd about a question', async () => {
    const { call } = await connect()
    const blocks = [{ type: 'button', id: 'b', buttons: [{ id: 'yes', label: 'Yes' }], decision: {} }]
    const { structuredContent } = await call('push_card', { blocks })
    expect(structuredContent?.warnings).toEqual([
      'anyone with the address may decide: the workspace is public',
    ])
  })

  test('update_card changes status and blocks, by id and by key', async () => {
    const { call } = await connect()
    const { structuredContent: pushed } = await call('push_card', { blocks: [note], key: 'job' })
    const patch = [{ id: 'note', patch: { content: 'Bye' } }]
    const { structuredContent: by_id } = await call('update_card', {
      card_id: pushed?.card_id,
      blocks: patch,
    })
    expect(patchedCard.parse(by_id?.card)).toMatchObject({ blocks: [{ ...note, content: 'Bye' }] })
    await call('update_card', { key: 'job', status: 'success' })
    expect(await readCard(pushed?.card_id)).toMatchObject({ status: 'success' })
  })

  test.each([
    ['push_card', { blocks: [{ type: 'text' }] }, 'blocks[0].content is required'],
    ['push_card', { blocks: [{ type: 'chart' }] }, /^blocks\[0\]\.type /],
    ['update_card', { status: 'success' }, 'card_id or key is required'],
    ['update_card', { key: 'unknown', status: 'success' }, 'Card not found'],
    ['list_cards', { cursor: 'x' }, 'cursor is unknown'],
    ['list_channels', { workspace_id: 'x' }, 'Workspace not found'],
  ])('%s with %j is refused in the service’s words', async (name, args, message) => {
    const { call } = await connect()
    const { isError, content } = await call(name, args)
    expect(isError).toBe(true)
    expect(content[0]?.text).toMatch(message)
  })

  test('list_cards returns the newest cards page by page, as the API has them', async () => {
    const bob = await createAccount(service)
    const channel = await createChannel(bob)
    const cards = `/channels/${channel}/cards`
    for (const content of ['1', '2', '3']) await create(bob.key, cards, { blocks: [{ ...note, content }] })
    const { call } = await connect(bob.api_key)
    const { structuredContent: first } = await call('list_cards', { limit: 2 })
    const { structuredContent: second } = await call('list_cards', { limit: 2, cursor: first?.next_cursor })
    const shown = [first, second].flatMap(page => cardShape.array().parse(page?.cards))
    expect(shown.map(({ blocks }) => blocks[0])).toMatchObject(['3', '2', '1'].map(content => ({ content })))
    expect(second?.next_cursor).toBeNull()
  })
})

describe('the channel of a call', async () => {
  const bob = await createAccount(service)
  const listCards = async (args: object = {}) => (await connect(bob.api_key)).call('list_cards', { ...args })

  test('a key that reaches no channel is told so', async () => {
    expect(await listCards()).toEqual(refusal('This API key reaches no channel'))
  })

  test('a call without a channel uses the only one; if there are several, the refusal lists them', async () => {
    const first = await createChannel(bob, { name: 'Deploys' })
    expect((await listCards()).structuredContent).toMatchObject({ cards: [] })
    const elsewhere = await createTestWorkspace(bob.session, 'Second team')
    const second = await createChannel(bob, { name: 'Nights', workspace_id: elsewhere })
    const names = `Deploys: ${first}\nNights: ${second}`
    expect(await listCards()).toEqual(
      refusal(`channel is required: this API key reaches 2 channels\n${names}`),
    )
    const { call } = await connect(bob.api_key)
    const { structuredContent: all } = await call('list_channels')
    expect(channelList.parse(all).channels).toMatchObject([
      { id: first, name: 'Deploys', workspace: 'Team' },
      { id: second, name: 'Nights', workspace: 'Second team' },
    ])
    const { structuredContent: some } = await call('list_channels', { workspace_id: elsewhere })
    expect(channelList.parse(some).channels).toMatchObject([{ id: second, workspace_id: elsewhere }])
    expect((await listCards({ channel: second })).structuredContent).toMatchObject({ cards: [] })
  })

  test('the refusal lists at most 20 channels', async () => {
    const carl = await createAccount(service)
    for (let i = 0; i < 21; i++) await createChannel(carl, { name: `Channel ${i}` })
    const { content } = await (await connect(carl.api_key)).call('list_cards')
    const [first, ...names] = content[0]?.text.split('\n') ?? []
    expect(first).toBe('channel is required: this API key reaches more than 20 channels, among them')
    expect(names).toHaveLength(20)
  })

  test('the address may name it for all calls of a host', async () => {
    const dora = await createAccount(service)
    const [here, there] = [await createChannel(dora), await createChannel(dora)]
    const { id } = await create(dora.key, `/channels/${there}/cards`, { blocks: [note] })
    const request = { method: 'tools/call', params: { name: 'list_cards', arguments: {} } }
    const inAddress = (channel: string) => postMcp(`${url}/mcp?channel=${channel}`, dora.api_key, request)
    expect((await resultIn(await inAddress(there))).structuredContent).toMatchObject({ cards: [{ id }] })
    expect((await resultIn(await inAddress(here))).structuredContent).toMatchObject({ cards: [] })
  })
})

describe('passwords', () => {
  const secret = 'hunter2'
  const blocks = [
    { type: 'input', id: 'pin', label: 'PIN', input_type: 'password', value: secret },
    { type: 'input', id: 'note', label: 'Note' },
    { type: 'button', id: 'ask', buttons: [{ id: 'yes', label: 'Yes' }], decision: { approves: 'yes' } },
  ]

  test('no result has the value of a password input, even after the input has become another one', async () => {
    const { call, client } = await connect()
    const { id, decisions } = await create<{ id: string; decisions: { id: string }[] }>(
      account.key,
      `/channels/${channel_id}/cards`,
      { blocks },
    )
    const handle = `${channel_id}/${decisions[0]?.id}`
    const shown = [
      await call('list_cards'),
      await call('update_card', { card_id: id, status: 'pending' }),
      await client.readResource({ uri: `channel-feed://channels/${channel_id}` }),
      await client.readResource({ uri: `channel-feed://channels/${channel_id}/cards/${id}` }),
    ]
    await pressAnswer(scene, handle, 'yes', { values: { pin: 'swordfish', note: 'Tuesday' } })
    const answer = await call('get_decision', { handle })
    expect(answer.structuredContent).toMatchObject({ approved: true, values: { note: 'Tuesday' } })
    await call('update_card', { card_id: id, blocks: [{ id: 'pin', patch: { input_type: 'text' } }] })
    const later = await call('get_decision', { handle })
    expect(later.structuredContent?.values).toEqual({ note: 'Tuesday' })
    for (const result of [...shown, answer, later]) {
      expect(JSON.stringify(result)).not.toContain(secret)
      expect(JSON.stringify(result)).not.toContain('swordfish')
    }
  })
})

describe('resources', () => {
  const channel = `channel-feed://channels/${channel_id}`

  test('the channels, a channel with its cards, and a card are JSON that no cache keeps', async () => {
    const { client } = await connect()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['channel-feed://channels'])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'channel-feed://channels/{channel_id}',
      'channel-feed://channels/{channel_id}/cards/{card_id}',
    ])
    const uris = ['channel-feed://channels', channel, `${channel}/cards/${scene.card_id}`]
    const read = await Promise.all(uris.map(uri => client.readResource({ uri })))
    for (const { contents } of read) expect(contents).toMatchObject([{ mimeType: 'application/json' }])
    expect(read.map(textIn)).toMatchObject([
      { channels: [{ id: channel_id, name: 'Deployments' }] },
      { id: channel_id, name: 'Deployments', cards: expect.any(Array) },
      { id: scene.card_id },
    ])
    const request = { method: 'resources/read', params: { uri: channel } }
    const raw = await postMcp(`${url}/mcp`, account.api_key, request, { headers: { 'Mcp-Name': channel } })
    expect(await raw.text()).toMatch(/"ttlMs":0,"cacheScope":"private"|"cacheScope":"private","ttlMs":0/)
  })

  test('the webhook’s address isn’t shown', async () => {
    await account.session('PATCH', `/channels/${channel_id}`, { webhook_url: 'https://hooks.example/secret' })
    const { client } = await connect()
    expect(JSON.stringify(await client.readResource({ uri: channel }))).not.toContain('hooks.example')
  })

  test.each(['channel-feed://channels/x', `${channel}/cards/x`, 'channel-feed://other'])(
    '%s is not found',
    async uri => {
      const { client } = await connect()
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
    },
  )
})

const textOfOne = z.object({ contents: z.tuple([z.object({ text: z.string() })]) })
const textIn = (read: unknown): unknown => JSON.parse(textOfOne.parse(read).contents[0].text)
