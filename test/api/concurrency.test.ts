// Concurrent requests: nothing is lost, nothing takes effect twice, and no request returns 500.
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../server/database/connect.ts'
import { createAccount, createTestWorkspace } from '../support/account.ts'
import { createTestChannel, pushCard, readCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { countLockWaits } from '../support/locks.ts'
import { runInstance, runService } from '../support/running.ts'
import { callTo } from '../support/service.ts'
import { times } from '../support/times.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const other = await runInstance(service, { WORKSPACE_LIMIT: '0' })
const ann = await createAccount(service)

test('parallel appends beyond 200 rows return 400', async () => {
  const cards = await createTestChannel(ann)
  const rows = Array.from({ length: 190 }, (_, i) => ({ key: `${i}`, value: '' }))
  const path = await pushCard(ann.key, cards, { blocks: [{ type: 'kv', id: 'kv', rows }] })
  const patch = { blocks: [{ id: 'kv', patch: { append_rows: [{ key: 'new', value: '' }] } }] }
  const responses = await times(20, () => ann.key('PATCH', path, patch))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(10)
  const [kv] = (await readCard(ann.key, path)).blocks
  expect(kv).toHaveProperty('rows.length', 200)
})

test("a card confirmed by one instance is in the other instance's pages at once", async () => {
  const channel = `/channels/${await createChannel(ann)}`
  const elsewhere = callTo(`${other.url}/api`, { Cookie: ann.cookie })
  for (let count = 1; count <= 40; count++) {
    await pushCard(ann.key, `${channel}/cards`)
    const { body } = await elsewhere<{ cards: unknown[] }>('GET', `${channel}/pages/0`)
    expect(body.cards).toHaveLength(count)
  }
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

  test("deletion of a channel waits for the turn and doesn't hold locks that the turn needs", async () => {
    const id = await createChannel(ann)
    expect(await duringTurn(id, () => ann.key('DELETE', `/channels/${id}`), rows(id))).toBe(200)
  })

  test('deletion of a workspace waits for the turn, too', async () => {
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
