// What lists of channels show of each channel: the newest card, the open questions, and how the webhook is doing.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { listChannelsWithSummaries } from '../../server/model/channels.ts'
import type { SummarizedChannel } from '../../shared/channel.ts'
import type { ChannelSummary } from '../../shared/channel-summary.ts'
import type { ViewedWorkspace } from '../../shared/workspace-live.ts'
import { countQueries } from '../auth/count-queries.ts'
import { type Account, createAccount } from '../support/account.ts'
import { ISO, pushCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { openPage } from '../support/open-page.ts'
import { runInstance, runReceiver, runService } from '../support/running.ts'
import { callTo } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const receiver = await runReceiver()
const service = await runService()
const there = await runInstance(service)
const GUEST = { user_id: null, role: null, can_act: true }
let ann: Account
let channel_id: string
beforeEach(async () => {
  ann = await createAccount(service)
  channel_id = await createChannel(ann)
})

const push = (blocks: object[], fields: object = {}) =>
  pushCard(ann.key, `/channels/${channel_id}/cards`, { blocks, ...fields })
const text = (content: string) => ({ type: 'text', content })

async function listed(): Promise<SummarizedChannel | undefined> {
  const path = `/channels?workspace_id=${ann.workspace_id}`
  return (await ann.session<SummarizedChannel[]>('GET', path)).body[0]
}

async function shown(cookie: string): Promise<ChannelSummary | undefined> {
  const call = callTo(`${service.url}/api`, { Cookie: cookie })
  return (await call<ViewedWorkspace>('GET', `/workspaces/by-slug/${ann.slug}`)).body.channels[0]
}

test('a list reads the blocks of a card once, and again when the card has changed', async () => {
  const { sql, queries } = countQueries(service.sql)
  const list = async () => {
    const before = queries()
    const [channel] = await listChannelsWithSummaries(sql, ann.workspace_id, GUEST)
    return [channel?.last_card?.text, queries() - before]
  }
  const path = await push([{ ...text('First'), id: 'text' }])
  const [, with_blocks] = await list()
  const [title, without_blocks] = await list()
  expect(title).toBe('First')
  expect(without_blocks).toBeLessThan(Number(with_blocks))
  await ann.key('PATCH', path, { blocks: [{ id: 'text', patch: { content: 'Second' } }] })
  expect(await list()).toEqual(['Second', with_blocks])
})

describe('`last_card`', () => {
  test('`last_card` is null in a channel without cards', async () => {
    expect(await listed()).toMatchObject({ last_card: null, waiting: 0, webhook: null })
  })

  test('`last_card` is the newest card that exists', async () => {
    await push([text('First')])
    const second = await push([text('Second')], { status: 'error' })
    const path = await push([text('Third')])
    await ann.key('DELETE', path)
    expect((await listed())?.last_card).toStrictEqual({
      id: second.split('/').pop(),
      status: 'error',
      text: 'Second',
      created_at: expect.stringMatching(ISO),
    })
  })

  const button = { type: 'button', buttons: [{ label: 'Go' }] }
  test.each<[string, object[], string]>([
    ['a text', [{ type: 'divider' }, text(' \n'), text('  Deployed\n')], 'Deployed'],
    ['a badge', [{ type: 'badge', label: 'Live' }, text('Later')], 'Live'],
    [
      'the first row',
      [
        {
          type: 'kv',
          rows: [
            { key: 'Host', value: 'web-1' },
            { key: 'B', value: '2' },
          ],
        },
      ],
      'Host: web-1',
    ],
    ['a value without a key', [{ type: 'kv', rows: [{ key: '', value: 'web-1' }] }], 'web-1'],
    ['the next block if there are no rows', [{ type: 'kv', rows: [] }, text('Next')], 'Next'],
    ['a button', [button], 'Go'],
    ['an image’s text', [{ type: 'image', url: 'https://example.com/a.png', alt: 'A graph' }], 'A graph'],
    ['the label of an input', [{ type: 'input', label: 'Note' }], 'Note'],
    ['nothing', [{ type: 'divider' }], ''],
    ['120 characters of a long text', [text('😀'.repeat(130))], '😀'.repeat(120)],
  ])('`last_card` shows %s', async (_, blocks, expected) => {
    await push(blocks)
    expect((await listed())?.last_card?.text).toBe(expected)
  })
})

describe('`waiting`', () => {
  const decide = (state: string, expires_at: string | null = null, of = channel_id) => service.sql`
    insert into decisions (channel_id, id, block_id, state, expires_at, decision, details)
    values (${of}, ${randomUUID()}, 'block', ${state}, ${expires_at}, '{}', '{}')`

  test('`waiting` counts the waiting decisions of the channel', async () => {
    const other = await createChannel(ann)
    for (const state of ['waiting', 'waiting', 'decided', 'expired', 'cancelled']) await decide(state)
    await decide('waiting', null, other)
    expect(await listed()).toMatchObject({ waiting: 2 })
  })

  test('`waiting` leaves out a decision whose deadline has passed', async () => {
    await decide('waiting', '2020-01-01T00:00:00.000Z')
    await decide('waiting', '2999-01-01T00:00:00.000Z')
    expect(await listed()).toMatchObject({ waiting: 1 })
  })
})

describe('`webhook`', () => {
  const insertDeliveries = (statuses: string[]) => service.sql`
    with interaction as (
      insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
      values (${channel_id}, 1, ${randomUUID()}, 'reply', '{"type":"reply","text":"Hi"}', now())
      returning channel_id, number
    )
    insert into webhook_deliveries (channel_id, id, number, status, url)
    select channel_id, gen_random_uuid(), number, s.status, 'https://example.com'
    from interaction, json_array_elements_text(${JSON.stringify(statuses)}::text::json) with ordinality s (status, place)
    order by s.place`
  const withWebhook = () => ann.key('PATCH', `/channels/${channel_id}`, { webhook_url: receiver.url })

  test('`webhook` is null without a URL', async () => {
    await insertDeliveries(['failed'])
    expect(await listed()).toMatchObject({ webhook: null })
  })

  test('`webhook` counts the newest 20 deliveries that ended', async () => {
    await withWebhook()
    expect(await listed()).toMatchObject({ webhook: { failed: 0, of: 0 } })
    const ended = ['failed', 'failed', 'failed', ...Array(18).fill('success'), 'failed']
    await insertDeliveries([...ended, 'pending', 'sending', 'held'])
    expect(await listed()).toMatchObject({ webhook: { failed: 2, of: 20 } })
  })

  test('`webhook` is shown to the owner only', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    await withWebhook()
    expect(await shown(ann.cookie)).toMatchObject({ webhook: { failed: 0, of: 0 } })
    const guest = await shown('')
    expect(guest).toMatchObject({ last_card: null, waiting: 0 })
    expect(guest).not.toHaveProperty('webhook')
  })

  test('a delivery that ends reaches open pages of all instances', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    await withWebhook()
    const pages = await Promise.all([service, there].map(({ url }) => openPage(url, ann.slug, ann.cookie)))
    const guest = await openPage(there.url, ann.slug)
    expect(await ann.session('POST', `/channels/${channel_id}/webhook-test`, {})).toMatchObject({
      status: 200,
    })
    for (const page of pages)
      await until(() => page.activity()[channel_id]?.webhook?.of === 1, 'the page shows the delivery')
    expect(guest.activity()[channel_id]).not.toHaveProperty('webhook')
  })
})

test('a new card reaches open pages as last_card', async () => {
  const page = await openPage(there.url, ann.slug, ann.cookie)
  await push([text('News')], { status: 'success' })
  await until(() => page.activity()[channel_id]?.last_card?.text === 'News', 'the page shows the card')
})

test('the list for API keys stays as it is', async () => {
  const { body } = await ann.key<object[]>('GET', `/channels?workspace_id=${ann.workspace_id}`)
  expect(Object.keys(body[0] ?? {}).sort()).toEqual([
    'card_count',
    'created_at',
    'description',
    'icon',
    'id',
    'mode',
    'name',
    'workspace_id',
  ])
})
