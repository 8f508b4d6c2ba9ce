// The migration that gives queues their owner, even to queues that an instance of the previous release creates later.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '../../server/database/migrate.ts'
import { claimDeliveries, readWaitingChannels } from '../../server/model/delivery-queue.ts'
import { migrateBefore } from '../database/folder.ts'
import { newChannel, newWorkspace, PUBLIC_URL } from '../support/queued.ts'
import { runDatabase } from '../support/running.ts'

const { sql } = await runDatabase('template0')

test('pending deliveries of the previous release are claimed, queued before the migration or after it', async () => {
  await migrateBefore(sql, '014')
  const workspace_id = await newWorkspace(sql)
  async function queue(): Promise<string> {
    const channel_id = await newChannel(sql, workspace_id, 'http://hook.example/')
    await sql`
      insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
      values (${channel_id}, 1, ${randomUUID()}, 'reply', '{}', now())`
    await sql`insert into webhook_queues (channel_id, host) values (${channel_id}, 'hook.example')`
    await sql`
      insert into webhook_deliveries (channel_id, id, number, url, body)
      values (${channel_id}, ${randomUUID()}, 1, 'http://hook.example/', '{}')`
    return channel_id
  }
  const early = await queue()
  await migrate(sql)
  const late = await queue()

  const waiting = await readWaitingChannels(sql, { free: 10, owners: [], busy: [], full: [] })
  // The helper gives a workspace the id of its owner.
  expect(waiting).toEqual(
    [early, late].map(channel_id => ({ channel_id, owner_id: workspace_id, host: 'hook.example' })),
  )
  const { claimed } = await claimDeliveries(sql, randomUUID(), [early, late], PUBLIC_URL)
  expect(claimed.map(({ url }) => url)).toEqual(['http://hook.example/', 'http://hook.example/'])
})
