import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { CommitAside, LOCK_BRIEF_MS, type WaitingTurn } from '../../server/feed/log/commit-aside.ts'
import { turnOf } from './scripted.ts'

const GROUPS = 100

function waiting(channel_id: string): WaitingTurn {
  const history = { identity: 'a database', generation: 1 }
  return {
    turn: turnOf(history, 'an owner', channel_id),
    give_up_at: Number.POSITIVE_INFINITY,
    resolve: () => undefined,
  }
}

test('a turn that met a lock does not wait until no other turns come', async () => {
  const order: string[] = []
  let added = 0
  const aside = new CommitAside(async (batch, lock_ms) => {
    const [channel = ''] = batch.map(({ turn }) => turn.channel_id)
    await Promise.resolve()
    if (channel === 'locked' && lock_ms === LOCK_BRIEF_MS) return batch
    order.push(channel)
    if (added++ < GROUPS) aside.add([waiting(randomUUID())], false)
    return []
  }, vi.fn())
  aside.add([waiting('locked')], false)
  for (let i = 0; i < 8; i++) aside.add([waiting(randomUUID())], false)
  await expect.poll(() => order.length).toBe(GROUPS + 9)
  expect(order.indexOf('locked')).toBeLessThan(GROUPS / 2)
})
