// A channel's feed on a real database, whose commits and queries go wrong on demand.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import type { GrownNotice } from '../../server/bus/bus.ts'
import type { Sql } from '../../server/database/connect.ts'
import type { DecisionRecord } from '../../server/decisions/rows.ts'
import { CommitLoop } from '../../server/feed/log/commit.ts'
import { beginDocument } from '../../server/feed/log/epochs.ts'
import { History, type HistoryIdentity } from '../../server/feed/log/history.ts'
import { Snapshots } from '../../server/feed/log/snapshots.ts'
import type { CommitResult, Turn } from '../../server/feed/log/turn.ts'
import { OpenChannel } from '../../server/feed/open-channel.ts'
import type { Mutation, Outcome } from '../../server/feed/turn/mutation.ts'
import type { MutationRequest } from '../../server/feed/turn/mutation-queue.ts'
import { DailyQuota } from '../../server/feed/turn/quota.ts'
import { FanOut } from '../../server/feed/viewers/viewers.ts'
import { createUser } from '../../server/model/users.ts'
import { createWorkspace } from '../../server/model/workspaces.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

/** Replaces a commit. `commit` is the real one. */
type ScriptedCommit = (commit: () => Promise<CommitResult>) => Promise<CommitResult>

export class ScriptedCommits extends CommitLoop {
  readonly script: ScriptedCommit[] = []
  count = 0

  override commit(turn: Turn, wait_ms?: number): Promise<CommitResult> {
    this.count++
    const next = this.script.shift()
    return next ? next(() => super.commit(turn, wait_ms)) : super.commit(turn, wait_ms)
  }
}

/** The next queries fail as on a broken connection. */
function faultySql(real: Sql) {
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
    failNext: (times: number) => {
      failures = times
    },
  }
}

/** The histories of the test databases, by database name. */
const histories = new Map<string, HistoryIdentity>()

/** Begins a history, as a service does when it starts. */
export async function settle(sql: Sql): Promise<HistoryIdentity> {
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  const nothing = { log: pino({ level: 'silent' }), hold: async () => {}, on_lost: () => {} }
  const history = await History.begin({ sql, ...nothing }, false)
  histories.set(row?.name ?? '', history.current)
  return history.current
}

/** The history of a database with rows of `createFeedRows`. */
export function historyOf({ target }: Pick<TestDatabase, 'target'>): HistoryIdentity {
  const known = histories.get(target.database)
  if (!known) throw new Error('createFeedRows comes first')
  return known
}

export async function createFeedRows(sql: Sql): Promise<{ user_id: string; channel_id: string }> {
  await settle(sql)
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

/** Moves the documents to where the turns of `turnOf` begin. */
export async function placeDocuments(sql: Sql): Promise<void> {
  await sql`update documents set client_id = 1, clock = 50`
}

/** A first turn that inserts one card. Its update is not a real one. */
export function turnOf(
  history: HistoryIdentity,
  user_id: string,
  channel_id: string,
  fields: Partial<Turn> = {},
): Turn {
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
    turn_id: randomUUID(),
    channel_id,
    epoch: 0,
    client_id: 1,
    known: 1,
    known_clock: 50,
    history,
    clock: 100,
    next_position: 1,
    card_count: 1,
    update: new Uint8Array([0, 0]),
    bytes: 100,
    events: null,
    inserted: [card],
    changed: [],
    deleted: [],
    owner_id: user_id,
    deleted_paths: [],
    pages: [],
    spent: { user_id, day: DAY, cards: 1, bytes: 100 },
    responses: [],
    decisions: [],
    also: [],
    ...fields,
  }
}

export const NO_LIMITS = { cards: null, bytes: null }

export function startFeed(
  database: TestDatabase,
  channel_id: string,
  options: { limit?: number | null; history?: HistoryIdentity | undefined } = {},
) {
  const limits = { cards: options.limit ?? null, bytes: null }
  const log = pino({ level: 'silent' })
  const faulty = faultySql(database.sql)
  const commits = new ScriptedCommits(database.sql, limits)
  const quota = new DailyQuota(faulty.sql, limits)
  const snapshots = new Snapshots(database.target, log)
  /** What other instances would receive. */
  const notices: GrownNotice[] = []
  const deps = {
    sql: faulty.sql,
    commits,
    quota,
    snapshots,
    log,
    history: new History(
      { sql: database.sql, log, hold: async () => {}, on_lost: () => void feed.historyLost() },
      options.history ?? historyOf(database),
    ),
    now: Date.now,
    public_url: 'http://localhost',
    sign: (record: DecisionRecord) => record,
    committed: (notice: GrownNotice) => void notices.push(notice),
    endQuestion: () => Promise.reject(new Error('no question has a deadline')),
    followed: () => {},
  }
  const feed = new OpenChannel(channel_id, deps, new FanOut())
  return { feed, deps, commits, quota, snapshots, notices, failNext: faulty.failNext }
}

/** Before each test: a database with one channel. `start` opens the channel's feed, as another instance would. */
export function useChannel() {
  let database: TestDatabase
  let stops: (() => Promise<void>)[] = []
  const scene = {
    owner_id: '',
    channel_id: '',
    get database() {
      return database
    },
    start(options: Parameters<typeof startFeed>[2] = {}) {
      const started = startFeed(database, scene.channel_id, options)
      stops.push(() => started.snapshots.stop())
      const write = (mutation: Mutation, more: Partial<MutationRequest> = {}) =>
        started.feed.writer.write({ mutation, owner_id: scene.owner_id, ...more })
      return { ...started, write }
    },
  }
  beforeEach(async () => {
    database = await createTestDatabase()
    const { user_id, channel_id } = await createFeedRows(database.sql)
    Object.assign(scene, { owner_id: user_id, channel_id })
  })
  afterEach(async () => {
    for (const stop of stops) await stop()
    stops = []
    await database.drop()
  })
  return scene
}

export const insert = (
  id: string = randomUUID(),
  content = 'Hello',
): Extract<Mutation, { kind: 'insert' }> => ({
  kind: 'insert',
  id,
  blocks: [
    { type: 'text', id: 'text', content, size: 'md', bold: false },
    { type: 'kv', id: 'log', rows: [] },
  ],
  status: 'default',
})

export const append = (id: string, key: string): Mutation => ({
  kind: 'patch',
  ref: { id },
  body: { blocks: [{ id: 'log', patch: { append_rows: [{ key, value: '' }] } }] },
})

/** The keys of the card's log, as the feed's live document has them. */
export function rowsOf(outcome: Outcome): string[] {
  if (!('card' in outcome) || !outcome.card) return []
  const block = outcome.card.blocks.find(({ id }) => id === 'log')
  return block?.type === 'kv' ? block.rows.map(({ key }) => key) : []
}
