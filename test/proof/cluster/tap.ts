// Keeps every turn of the log, even if the log is pruned or begins a new epoch. A trigger copies each row within the
// row's own transaction, and a direct connection reads the copies into tap.jsonl.
import type { Sql } from '../../../server/database/connect.ts'
import type { FeedEvent } from '../../../server/feed/events.ts'
import { type JsonLines, now } from '../records.ts'

const READ_MS = 200
/** Transactions do not commit in the order of `n`: a later one may be visible first. */
const OVERLAP = 2_000

/** A row of tap.jsonl. `update` is base64, `at` is when the harness read it. */
export type TappedTurn = {
  at: number
  n: number
  timeline: string
  wal: string
  channel_id: string
  epoch: number
  seq: number
  clock: number
  turn_id: string
  update: string
  events: FeedEvent[] | null
}

/** Once, when the service has made its tables. */
export async function createTap(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema proof;
    create table proof.log (
      n bigint generated always as identity primary key,
      channel_id uuid not null, epoch integer not null, seq bigint not null, clock bigint not null,
      turn_id uuid not null, update bytea not null, events jsonb);
    create function proof.copy_turn() returns trigger language plpgsql as $$
    begin
      insert into proof.log (channel_id, epoch, seq, clock, turn_id, update, events)
      values (new.channel_id, new.epoch, new.seq, new.clock, new.turn_id, new.update, new.events);
      return null;
    end
    $$;
    create trigger tap after insert on document_updates for each row execute function proof.copy_turn();
    insert into proof.log (channel_id, epoch, seq, clock, turn_id, update, events)
      select channel_id, epoch, seq, clock, turn_id, update, events from document_updates order by channel_id, seq`)
}

export function startTap(sql: Sql, file: JsonLines<TappedTurn>) {
  // After lost history, `n` and the turn's place are used again.
  const seen = new Map<string, string>()
  let newest = 0
  let stopped = false

  /** Returns the keys of the rows that it read. */
  async function read(after: number): Promise<string[]> {
    const rows = await sql<Omit<TappedTurn, 'at'>[]>`
      select n, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, pg_current_wal_lsn()::text as wal,
        channel_id, epoch, seq, clock, turn_id, encode(update, 'base64') as update, events
      from proof.log where n > ${after} order by n`
    const keys = rows.map(row => {
      const key = `${row.n} ${row.turn_id}`
      newest = Math.max(newest, row.n)
      if (!seen.has(key)) file.write({ at: now(), ...row })
      seen.set(key, row.turn_id)
      return key
    })
    return keys
  }

  const reading = (async () => {
    while (!stopped) {
      // While the database is down there is nothing to read; `stop` reads everything once more.
      await read(newest - OVERLAP).catch(() => {})
      await new Promise(resolve => setTimeout(resolve, READ_MS))
    }
  })()

  return {
    /** Resolves when every turn so far is in the file. */
    catchUp: async () => void (await read(newest - OVERLAP)),
    /** Returns the ids of the turns that the database lacks now. */
    async stop(): Promise<string[]> {
      stopped = true
      await reading
      for (const key of await read(0)) seen.delete(key)
      return [...seen.values()]
    },
  }
}
