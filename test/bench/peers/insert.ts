// The limit of durable writing without any document: the card as one row, one insert per card, with
// postgres.js's default pool of 10 connections and synchronous_commit on. No access check, no quota.
import { onTerminate, serveCards } from './app.ts'
import { openDatabase } from './database.ts'

const { sql, close } = await openDatabase()
await sql`
  create table if not exists cards (
    channel_id uuid not null,
    id uuid not null,
    status text not null,
    blocks jsonb not null,
    created_at timestamptz not null,
    primary key (channel_id, id)
  )`

serveCards({
  async insert({ channel_id, id, status, blocks, created_at }) {
    await sql`
      insert into cards (channel_id, id, status, blocks, created_at)
      values (${channel_id}, ${id}, ${status}, ${sql.json(blocks)}, ${created_at})`
  },
})
onTerminate(close)
