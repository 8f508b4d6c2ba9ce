// The client with an API key, against a running service.
import { expect, test } from 'vitest'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { AuthError, ConnectionError, NotFoundError } from '../../client/errors.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const { url } = service
const client = new ChannelFeed({ url, key: ann.api_key })

const createChannel = async () =>
  client.channel((await client.createChannel({ name: 'Deploys', workspace_id: ann.workspace_id })).id)
const card = { blocks: [{ type: 'text' as const, id: 'note', content: 'Hello' }] }

test('a channel is created once for an idempotency key, listed, renamed and deleted', async () => {
  const once = { idempotency_key: crypto.randomUUID() }
  const body = { name: 'Builds', workspace_id: ann.workspace_id }
  const { id } = await client.createChannel(body, once)
  expect((await client.createChannel(body, once)).id).toBe(id)
  const [workspace] = await client.workspaces()
  expect(workspace?.id).toBe(ann.workspace_id)
  expect((await client.channels(ann.workspace_id)).map(channel => channel.id)).toEqual([id])

  const channel = client.channel(id)
  await channel.update({ name: 'Nightly builds' })
  expect((await channel.get()).name).toBe('Nightly builds')
  await channel.delete()
  await expect(channel.get()).rejects.toThrow(NotFoundError)
})

test('cards are pushed, replaced by key, patched and listed newest first', async () => {
  const channel = await createChannel()
  const first = await channel.push(card)
  const keyed = await channel.push(card, { key: 'build 1/2' })
  const replaced = await channel.push({ ...card, status: 'success' }, { key: 'build 1/2' })
  expect(replaced.id).toBe(keyed.id)
  await channel.patch(first.id, { blocks: [{ id: 'note', patch: { content: 'Bye' } }] })
  expect((await channel.card(first.id)).blocks).toMatchObject([{ content: 'Bye' }])
  expect((await channel.cards({ limit: 5 }).page()).cards.map(({ id }) => id)).toEqual([keyed.id, first.id])
})

test('a header action is added, and attributes are set', async () => {
  const channel = await createChannel()
  const { id } = await channel.addAction({ label: 'Retry' })
  expect((await channel.get()).actions).toMatchObject([{ id, label: 'Retry' }])
  await channel.setAttributes({ team: 'payments' })
  expect(await channel.attributes()).toMatchObject({ team: 'payments' })
})

test('errors keep the words of the service, and no message contains the key', async () => {
  await expect(client.createChannel({ name: ' ', workspace_id: ann.workspace_id })).rejects.toEqual(
    expect.objectContaining({ status: 400, message: 'name is required' }),
  )
  const stranger = new ChannelFeed({ url, key: 'cf_wrong' })
  const error = await stranger.workspaces().catch(reason => reason)
  expect(error).toBeInstanceOf(AuthError)
  expect(String(error)).not.toContain('cf_wrong')
  const nowhere = new ChannelFeed({ url: 'http://127.0.0.1:1', key: ann.api_key, timeout: 2_000 })
  await expect(nowhere.workspaces()).rejects.toThrow(ConnectionError)
})
