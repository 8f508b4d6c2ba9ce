// Keeps every turn of the log, even if the log is pruned or begins a new epoch. A trigger copies each row within the
// row's own transaction, and a direct connection reads the copies into tap.jsonl. Another trigger notes each snapshot.
import type { Sql } from '../../../server/database/connect.ts'
import type { FeedEvent } from '../../../server/feed/log/events.ts'
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
  /** Set by the checkers, in a document that is too large for five pages. */
  oldest_page?: number
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
    create table proof.snapshots (channel_id uuid not null, seq bigint not null, bytes integer not null, by_worker boolean not null);
    create function proof.note_snapshot() returns trigger language plpgsql as $$
    begin
      insert into proof.snapshots (channel_id, seq, bytes, by_worker)
      values (new.channel_id, new.seq, length(new.state), current_setting('application_name') = 'channel-feed-snapshots');
      return null;
    end
    $$;
    create trigger tap after insert or update on document_snapshots for each row execute function proof.note_snapshot();
    insert into proof.log (channel_id, epoch, seq, clock, turn_id, update, events)
      select channel_id, epoch, seq, clock, turn_id, update, events from document_updates order by channel_id, seq`)
}

const keyOf = ({ n, turn_id }: { n: number; turn_id: string }) => `${n} ${turn_id}`

export function startTap(sql: Sql, file: JsonLines<TappedTurn>) {
  // After lost history, `n` and the turn's place are used again.
  const seen = new Map<string, string>()
  let newest = 0
  let stopped = false

  /** Returns the keys of the rows after this one. What is known isn't read again: turns may be large. */
  async function read(after: number): Promise<string[]> {
    const all = await sql<{ n: number; turn_id: string }[]>`
      select n, turn_id from proof.log where n > ${after}`
    const unseen = all.filter(row => !seen.has(keyOf(row))).map(({ turn_id }) => turn_id)
    if (unseen.length > 0) await copy(after, unseen)
    return all.map(keyOf)
  }

  async function copy(after: number, turn_ids: string[]): Promise<void> {
    const rows = await sql<Omit<TappedTurn, 'at'>[]>`
      select n, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, pg_current_wal_lsn()::text as wal,
        channel_id, epoch, seq, clock, turn_id, encode(update, 'base64') as update, events
      from proof.log where n > ${after} and turn_id = any(${turn_ids}::uuid[]) order by n`
    for (const row of rows) {
      newest = Math.max(newest, row.n)
      if (!seen.has(keyOf(row))) file.write({ at: now(), ...row })
      seen.set(keyOf(row), row.turn_id)
    }
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
