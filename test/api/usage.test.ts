// GET /usage: what a user has used of each limit.
import { expect, test } from 'vitest'
import { createAccount, createTestWorkspace } from '../support/account.ts'
import { createTestChannel, pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runService } from '../support/running.ts'
import { startTestService } from '../support/service.ts'

const NOON = Date.parse('2026-01-31T12:00:00.000Z')

let clock = NOON

const limits = { DAILY_CARD_LIMIT: '200', DAILY_CHANNEL_LIMIT: '50', WORKSPACE_LIMIT: '3' }
const service = await runService(limits, { now: () => clock })

test('the usage counts the cards and channels created today, even if deleted, and the present workspaces', async () => {
  const ann = await createAccount(service)
  const usage = async () => (await ann.session('GET', '/usage')).body
  expect(await usage()).toStrictEqual({
    cards: { used: 0, limit: 200 },
    channels: { used: 0, limit: 50 },
    bytes: { used: 0, limit: 268_435_456 },
    workspaces: { used: 1, limit: 3 },
    resets_at: '2026-02-01T00:00:00.000Z',
  })
  const cards = await createTestChannel(ann)
  const deletedChannel = await createChannel(ann)
  await pushCard(ann.key, cards)
  await ann.key('DELETE', await pushCard(ann.session, cards))
  // The first PUT creates a card, the second only replaces it. The POST is rejected.
  await ann.key('PUT', `${cards}/by-key/k`, textCard())
  await ann.key('PUT', `${cards}/by-key/k`, textCard())
  await ann.key('POST', cards, {})
  await ann.key('DELETE', `/channels/${deletedChannel}`)
  const workspace_id = await createTestWorkspace(ann.session)
  expect(await usage()).toMatchObject({
    cards: { used: 3, limit: 200 },
    channels: { used: 2, limit: 50 },
    workspaces: { used: 2, limit: 3 },
  })
  await ann.session('DELETE', `/workspaces/${workspace_id}`)
  expect(await usage()).toMatchObject({ workspaces: { used: 1 } })

  const other = await createAccount(service)
  expect((await other.session('GET', '/usage')).body).toMatchObject({ cards: { used: 0 } })

  clock = Date.parse('2026-01-31T23:59:59.999Z')
  expect(await usage()).toMatchObject({ cards: { used: 3 }, resets_at: '2026-02-01T00:00:00.000Z' })
  clock += 1
  expect(await usage()).toMatchObject({
    cards: { used: 0 },
    channels: { used: 0 },
    workspaces: { used: 1 },
    resets_at: '2026-02-02T00:00:00.000Z',
  })
})

test('a lifted limit is null, and usage is still counted', async () => {
  const none = { DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', WORKSPACE_LIMIT: '0' }
  const lifted = await startTestService(none)
  const ann = await createAccount(lifted)
  await pushCard(ann.key, await createTestChannel(ann))
  expect((await ann.session('GET', '/usage')).body).toMatchObject({
    cards: { used: 1, limit: null },
    channels: { used: 1, limit: null },
    workspaces: { used: 1, limit: null },
  })
  await lifted.stop()
})
