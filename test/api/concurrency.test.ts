// Concurrent requests: nothing is lost, nothing takes effect twice, and no request returns 500.
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../server/database/connect.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { createAccount, createTestWorkspace, withKey } from '../support/account.ts'
import { createTestCards, pushCard, readCard, readDocumentCards } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { countLockWaits } from '../support/locks.ts'
import { runInstance, runService } from '../support/running.ts'
import { caller, startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const other = await runInstance(service, { WORKSPACE_LIMIT: '0' })
const ann = await createAccount(service)

describe('parallel PATCHes of one card', () => {
  const kvCard = {
    blocks: [
      { type: 'kv', id: 'kv', rows: [] },
      { type: 'text', id: 'text', content: '' },
      { type: 'badge', id: 'badge', label: 'A' },
    ],
  }
  const rowsOf = (card: { blocks: PlacedCard['blocks'] }) => {
    const [kv] = card.blocks
    return kv?.type === 'kv' ? kv.rows.map(({ key }) => key) : []
  }

  test.each([
    ['one instance', () => [ann.key]],
    ['two instances', () => [ann.key, withKey(other.url, ann.api_key)]],
  ])(
    'over %s, every append_rows takes effect once, in the same order in rows and document',
    async (_, calls) => {
      const cards = await createTestCards(ann)
      const path = await pushCard(ann.key, cards, kvCard)
      const keys = Array.from({ length: 40 }, (_, i) => `k${i}`)
      const append = (key: string) => ({
        blocks: [{ id: 'kv', patch: { append_rows: [{ key, value: 'v' }] } }],
      })
      const patches = keys.map((key, i) => calls()[i % calls().length]?.('PATCH', path, append(key)))
      patches.push(ann.key('PATCH', path, { status: 'error' }))
      patches.push(ann.key('PATCH', path, { blocks: [{ id: 'text', patch: { content: 'T' } }] }))
      patches.push(ann.key('PATCH', path, { blocks: [{ id: 'badge', patch: { label: 'B' } }] }))
      for (const response of await Promise.all(patches)) expect(response?.status).toBe(200)
      const card = await readCard(ann.key, path)
      expect(rowsOf(card).sort()).toEqual(keys.sort())
      expect(card).toMatchObject({ status: 'error', blocks: [{}, { content: 'T' }, { label: 'B' }] })
      const [shown] = await readDocumentCards(ann, cards)
      expect(shown).toMatchObject(card)
    },
  )

  test('appends beyond 200 rows return 400', async () => {
    const cards = await createTestCards(ann)
    const rows = Array.from({ length: 190 }, (_, i) => ({ key: `${i}`, value: '' }))
    const path = await pushCard(ann.key, cards, { blocks: [{ type: 'kv', id: 'kv', rows }] })
    const patch = { blocks: [{ id: 'kv', patch: { append_rows: [{ key: 'new', value: '' }] } }] }
    const responses = await times(20, () => ann.key('PATCH', path, patch))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(rowsOf(await readCard(ann.key, path))).toHaveLength(200)
  })
})

test('cards pushed in parallel on two instances have the same order in rows and document', async () => {
  const cards = await createTestCards(ann)
  const calls = [ann.key, withKey(other.url, ann.api_key)]
  const paths = await times(50, i => pushCard(calls[i % 2] ?? ann.key, cards))
  const { body } = await ann.key<{ cards: { id: string }[] }>('GET', `${cards}?limit=200`)
  const listed = body.cards.map(({ id }) => id).reverse()
  expect([...listed].sort()).toEqual(paths.map(path => path.split('/').at(-1)).sort())
  expect((await readDocumentCards(ann, cards)).map(({ id }) => id)).toEqual(listed)
  const [row] =
    await service.sql`select card_count from documents where channel_id = ${cards.split('/')[2] ?? ''}`
  expect(row?.card_count).toBe(50)
})

test("a card confirmed by one instance is in the other instance's pages at once", async () => {
  const channel = `/channels/${await createChannel(ann)}`
  const elsewhere = caller(`${other.url}/api`, { Cookie: ann.cookie })
  for (let count = 1; count <= 40; count++) {
    await pushCard(ann.key, `${channel}/cards`)
    const { body } = await elsewhere<{ cards: unknown[] }>('GET', `${channel}/pages/0`)
    expect(body.cards).toHaveLength(count)
  }
})

test('slugs generated in parallel on two instances, for two users, never collide', async () => {
  const bob = await createAccount(other)
  const responses = await times(12, i =>
    (i % 2 ? bob : ann).session<{ slug: string }>('POST', '/workspaces', { name: 'Same' }),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(201))
  expect(new Set(responses.map(({ body }) => body.slug)).size).toBe(12)
})

test('ten parallel requests on two instances create three workspaces', async () => {
  const { database } = service
  const [one, two] = [await startTestService({}, { database }), await startTestService({}, { database })]
  const bob = await createAccount(one)
  const sessions = [bob.session, caller(`${two.url}/api`, { Cookie: bob.cookie })]
  const responses = await times(10, i => sessions[i % 2]?.('POST', '/workspaces', { name: 'W' }))
  expect(responses.map(response => response?.status).sort()).toEqual([201, 201, ...Array(8).fill(429)])
  expect((await bob.session<unknown[]>('GET', '/workspaces')).body).toHaveLength(3)
  await one.stop()
  await two.stop()
})

describe('a deletion during a turn', () => {
  /** Holds the document as a turn does; returns when the deletion waits for it. */
  async function duringTurn(
    channel_id: string,
    deletion: () => Promise<{ status: number }>,
    rest: (tx: Transaction) => Promise<unknown>,
  ): Promise<number> {
    let deleted: Promise<{ status: number }> | undefined
    await service.sql.begin(async tx => {
      await tx`set local lock_timeout = '2s'`
      await tx`select from documents where channel_id = ${channel_id} for update`
      deleted = deletion()
      await expect.poll(() => countLockWaits(service.sql)).toBe(1)
      await rest(tx)
    })
    return (await deleted)?.status ?? 0
  }
  const rows = (channel_id: string) => async (tx: Transaction) => {
    await tx`update channels set name = 'N' where id = ${channel_id}`
    // The second change of a row in one transaction also locks its workspace.
    await tx`update channels set name = 'M' where id = ${channel_id}`
    await tx`insert into header_actions (channel_id, id, label) values (${channel_id}, ${crypto.randomUUID()}, 'A')`
  }

  test("of a channel waits for the turn and doesn't hold locks that the turn needs", async () => {
    const id = await createChannel(ann)
    expect(await duringTurn(id, () => ann.key('DELETE', `/channels/${id}`), rows(id))).toBe(200)
  })

  test('of a workspace waits, too', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const id = await createChannel({ key: ann.key, workspace_id })
    const deletion = () => ann.session('DELETE', `/workspaces/${workspace_id}`)
    expect(await duringTurn(id, deletion, rows(id))).toBe(200)
  })
})

test('deleting a workspace while its channels are created and changed never returns 500', async () => {
  for (let round = 0; round < 3; round++) {
    const workspace_id = await createTestWorkspace(ann.session)
    const id = await createChannel({ key: ann.key, workspace_id })
    const writes = Array.from({ length: 8 }, (_, i) => [
      ann.key('POST', '/channels', { name: `${i}`, workspace_id }),
      ann.key('PATCH', `/channels/${id}`, { name: `${i}` }),
      ann.key('PUT', `/channels/${id}/attributes`, { a: `${i}` }),
      ann.key('POST', `/channels/${id}/actions`, { label: `${i}` }),
    ]).flat()
    const deletion = ann.session('DELETE', `/workspaces/${workspace_id}`)
    const responses = await Promise.all([...writes, deletion])
    expect(responses.filter(({ status }) => status >= 500)).toEqual([])
    expect((await deletion).status).toBe(200)
    const left = await service.sql`select from channels where workspace_id = ${workspace_id}`
    expect(left).toHaveLength(0)
  }
})
