// The migration that gives queues their owner, even to queues that an instance of the previous release creates later.
import { randomUUID } from 'node:crypto'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../server/database/migrate.ts'
import { claimDeliveries, readWaitingChannels } from '../../server/model/delivery-queue.ts'
import { makeDataDir } from '../database/folder.ts'
import { createTestDatabase } from '../support/database.ts'
import { newChannel, newWorkspace } from '../support/queued.ts'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

test('pending deliveries of the previous release are claimed, queued before the migration or after it', async () => {
  const database = await createTestDatabase('template0')
  onTestFinished(() => database.drop())
  const { sql } = database
  const before = await makeDataDir()
  for (const name of (await readdir(migrations)).filter(name => name < '014'))
    await copyFile(join(migrations, name), join(before, name))
  await migrate(sql, before)

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
  const { claimed } = await claimDeliveries(sql, randomUUID(), [early, late])
  expect(claimed.map(({ url }) => url)).toEqual(['http://hook.example/', 'http://hook.example/'])
})
