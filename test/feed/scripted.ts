// A channel's feed on a real database, whose commits and queries go wrong on demand.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { Grown } from '../../server/bus/bus.ts'
import type { Sql } from '../../server/database/connect.ts'
import { ChannelFeed } from '../../server/feed/channel-feed.ts'
import { CommitLoop, type Verdict } from '../../server/feed/commit.ts'
import { beginDocument } from '../../server/feed/log.ts'
import { CardQuota } from '../../server/feed/quota.ts'
import { Snapshots } from '../../server/feed/snapshots.ts'
import type { Outcome, Write } from '../../server/feed/turn.ts'
import type { TurnRecord } from '../../server/feed/turn-record.ts'
import { createUser } from '../../server/model/users.ts'
import { createWorkspace } from '../../server/model/workspaces.ts'
import type { PlacedCard } from '../../shared/card.ts'
import type { TestDatabase } from '../support/database.ts'

/** Does something in place of the next commit; `commit` is the real one. */
type Interlude = (commit: () => Promise<Verdict>) => Promise<Verdict>

export class ScriptedCommits extends CommitLoop {
  readonly script: Interlude[] = []
  count = 0

  override commit(turn: TurnRecord, patience_ms?: number): Promise<Verdict> {
    this.count++
    const next = this.script.shift()
    return next ? next(() => super.commit(turn, patience_ms)) : super.commit(turn, patience_ms)
  }
}

export type FaultySql = { sql: Sql; failNext: (times: number) => void }

/** Queries that fail as over a broken connection, when told to. */
export function faultySql(real: Sql): FaultySql {
  let failures = 0
  const sql = new Proxy(real, {
    apply(target, self, args) {
      if (failures > 0 && Array.isArray(args[0]) && 'raw' in args[0]) {
        failures--
        return Promise.reject(Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }))
      }
      return Reflect.apply(target, self, args)
    },
  })
  return {
    sql,
    failNext: times => {
      failures = times
    },
  }
}

export async function createFeedRows(sql: Sql): Promise<{ user_id: string; channel_id: string }> {
  await sql`
    insert into database_generation (generation, system_identifier, timeline) values (1, 'a test', 1)
    on conflict do nothing`
  const email = `${randomUUID()}@example.com`
  const user = await createUser(sql, { email, name: 'Owner', password_hash: 'none' })
  const workspace = await createWorkspace(sql, user.id, { name: 'Team', icon: '🏢' }, null)
  const channel_id = await createChannelRows(sql, workspace.id)
  return { user_id: user.id, channel_id }
}

export async function createChannelRows(sql: Sql, workspace_id: string): Promise<string> {
  const id = randomUUID()
  const head = { name: 'Channel', description: null, icon: '📡', mode: 'view' } as const
  await sql.begin(async tx => {
    await tx`insert into channels ${tx({ id, workspace_id, ...head })}`
    await beginDocument(tx, id, { ...head, actions: [] })
  })
  return id
}

export const DAY = '2026-01-31'

/** A turn that inserts one card. Its update is of no matter. */
export function turnOf(user_id: string, channel_id: string, fields: Partial<TurnRecord> = {}): TurnRecord {
  const created_at = '2026-01-31T12:00:00.000Z'
  const card: PlacedCard = {
    id: randomUUID(),
    channel_id,
    status: 'default',
    blocks: [{ type: 'divider', id: 'd' }],
    created_at,
    updated_at: created_at,
    position: 0,
  }
  return {
    channel_id,
    epoch: 0,
    known: 1,
    clock: 100,
    next_position: 1,
    card_count: 1,
    update: new Uint8Array([0, 0]),
    events: null,
    inserted: [card],
    changed: [],
    deleted: [],
    owner_id: user_id,
    forgotten_paths: [],
    pages: [],
    spent: { user_id, day: DAY, cards: 1 },
    answers: [],
    also: [],
    ...fields,
  }
}

export function startFeed(
  database: TestDatabase,
  channel_id: string,
  options: { limit?: number | null } = {},
) {
  const limit = options.limit ?? null
  const log = pino({ level: 'silent' })
  const faulty = faultySql(database.sql)
  const commits = new ScriptedCommits(database.sql, limit)
  const quota = new CardQuota(faulty.sql, limit)
  const snapshots = new Snapshots(database.target, log)
  const announced: number[] = []
  /** What other instances would hear. */
  const told: Grown[] = []
  const deps = {
    sql: faulty.sql,
    commits,
    quota,
    snapshots,
    log,
    generation: 1,
    now: Date.now,
    committed: (grown: Grown) => {
      announced.push(grown.seq)
      told.push(grown)
    },
    followed: () => {},
  }
  const feed = new ChannelFeed(channel_id, deps)
  return { feed, deps, commits, quota, snapshots, announced, told, failNext: faulty.failNext }
}

export const insert = (id: string = randomUUID(), content = 'Hello'): Extract<Write, { kind: 'insert' }> => ({
  kind: 'insert',
  id,
  blocks: [
    { type: 'text', id: 'text', content, size: 'md', bold: false },
    { type: 'kv', id: 'log', rows: [] },
  ],
  status: 'default',
})

export const append = (id: string, key: string): Write => ({
  kind: 'patch',
  ref: { id },
  body: { blocks: [{ id: 'log', patch: { append_rows: [{ key, value: '' }] } }] },
})

/** The keys of the card's log, as the feed's live document has them. */
export function rowsOf(outcome: Outcome): string[] {
  if (!('card' in outcome)) return []
  const block = outcome.card.blocks.find(({ id }) => id === 'log')
  return block?.type === 'kv' ? block.rows.map(({ key }) => key) : []
}
