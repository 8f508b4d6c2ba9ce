// The list of interactions that automations poll: shape, order and pages.
import { beforeEach, describe, expect, test } from 'vitest'
import { createChannel } from '../support/channels.ts'
import { type Inserted, insertInteraction } from '../support/interactions.ts'
import { runWithOwner } from '../support/running.ts'

let channel_id: string
let path: string

const { service, ann } = await runWithOwner()
beforeEach(async () => {
  channel_id = await createChannel(ann)
  path = `/channels/${channel_id}/interactions`
})

type Page = { interactions: Inserted[]; next_cursor: string | null }
const list = (query = '') => ann.key<Page>('GET', path + query)
const insert = (text: string) => insertInteraction(service.sql, channel_id, { type: 'reply', text })
async function insertMany(count: number): Promise<Inserted[]> {
  const made: Inserted[] = []
  for (let i = 0; i < count; i++) made.unshift(await insert(`${i}`))
  return made
}

test('the list of interactions is empty for a new channel', async () => {
  expect(await list()).toMatchObject({ status: 200 })
  expect((await list()).body).toStrictEqual({ interactions: [], next_cursor: null })
})

test('each interaction of the list has interaction_id, channel_id, card_id, timestamp, trigger and card_state, newest first', async () => {
  const card_id = crypto.randomUUID()
  const state = [{ id: 't', type: 'toggle', label: 'L', value: true }]
  const click = { type: 'button_click', button_id: 'b', label: 'Go' }
  const first = await insertInteraction(service.sql, channel_id, click, { card_id, card_state: state })
  const second = await insert('Hi')
  await insertInteraction(service.sql, await createChannel(ann), { type: 'reply', text: 'elsewhere' })
  expect((await list()).body).toStrictEqual({ interactions: [second, first], next_cursor: null })
})

test('leaves out test deliveries', async () => {
  const kept = await insert('Hi')
  await insertInteraction(service.sql, channel_id, { type: 'test' })
  expect((await list()).body).toStrictEqual({ interactions: [kept], next_cursor: null })
  expect((await list('?limit=1')).body.next_cursor).toBeNull()
})

describe('pages', () => {
  test('pages have no gaps, even while new interactions arrive', async () => {
    const made = await insertMany(7)
    const seen: Inserted[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: Page } = await list(`?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.interactions)
      cursor = body.next_cursor
      await insert('new')
    }
    expect(seen).toStrictEqual(made)
  })

  test('pages have 50 by default and 200 at most', async () => {
    await service.sql`
      insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
      select ${channel_id}, n, gen_random_uuid(), 'reply', '{"type": "reply", "text": ""}', now()
      from generate_series(1, 201) n`
    expect((await list()).body.interactions).toHaveLength(50)
    const { body } = await list('?limit=200')
    expect(body.interactions).toHaveLength(200)
    const rest = await list(`?limit=1&cursor=${body.next_cursor}`)
    expect(rest.body.interactions).toHaveLength(1)
    expect(rest.body.next_cursor).toBeNull()
  })

  test.each(['limit=201', 'cursor=x'])('pages requested with %s return 400', async query => {
    expect((await list(`?${query}`)).status).toBe(400)
  })
})
