// Checking sockets again after a change must not occupy the database connections that all owners share.
import { expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { enter } from '../support/pass.ts'
import { runService } from '../support/running.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const { sql, url } = service
const [ann, bob] = await Promise.all([createAccount(service), createAccount(service)])
const [channel_id, elsewhere] = await Promise.all([createChannel(ann), createChannel(bob)])

test('however many sockets and changes there are, their checks use at most two connections', async () => {
  await patchWorkspace(ann, { visibility: 'public' })
  const sockets = await times(60, () => enter(url, channel_id, { cookie: bob.cookie }))
  await bob.key('GET', `/channels/${elsewhere}/cards`)
  const release = await holdLocks(service.database, tx => tx`lock table sessions in access exclusive mode`)
  const change = (visibility: string) =>
    sql`update workspaces set visibility = ${visibility} where id = ${ann.workspace_id}`
  for (let i = 0; i < 5; i++)
    for (const visibility of ['private', 'public', 'private']) await change(visibility)
  await until(async () => (await countLockWaits(sql)) > 0, 'a check waits for the lock')
  const answers = await times(50, () => bob.key('GET', `/channels/${elsewhere}/cards`))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await countLockWaits(sql)).toBeLessThanOrEqual(2)
  await release()
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(sockets.map(() => 4403))
}, 60_000)
