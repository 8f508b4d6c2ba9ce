// The migration that stores blocks as json: cards from before keep their blocks.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '../../server/database/migrate.ts'
import { runDatabase } from '../support/running.ts'
import { migrateBefore } from './folder.ts'

const { sql } = await runDatabase('template0')

test('cards from before the migration keep their blocks', async () => {
  await migrateBefore(sql, '022')
  const channel_id = randomUUID()
  const blocks = [
    { type: 'text', id: 't', content: '"quoted" \\ ü 🚀 \u2028', size: 'md', bold: false },
    { type: 'kv', id: 'k', rows: [{ key: '', value: '1e400' }] },
  ]
  for (let position = 0; position < 200; position++)
    await sql`
      insert into cards (channel_id, id, position, status, blocks, created_at, updated_at)
      values (${channel_id}, ${randomUUID()}, ${position}, 'default', ${sql.json(blocks)}, now(), now())`
  await migrate(sql)
  const cards = await sql<{ blocks: object[] }[]>`select blocks from cards where channel_id = ${channel_id}`
  expect(cards).toHaveLength(200)
  for (const card of cards) expect(card.blocks).toEqual(blocks)
  expect(
    await sql`select from pg_attribute where attrelid = 'cards'::regclass and attname = 'blocks' and
    atttypid = 'json'::regtype`,
  ).toHaveLength(1)
})
