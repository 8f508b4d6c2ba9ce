// The identity of the database. A restored backup, a promoted standby or a copy may lack commits that this instance has
// acknowledged: its history was lost. Then the generation rises, every document begins a new epoch when it is next read,
// and until then nothing is appended.
import type { Logger } from 'pino'
import type { AnySql, Sql, Transaction } from '../../database/connect.ts'

/** `identity`: the database's cluster, oid and timeline. `generation`: as stored in it. */
export type HistoryIdentity = { identity: string; generation: number }

export type HistoryDeps = {
  sql: Sql
  log: Logger
  hold: (tx: Transaction) => Promise<void>
  on_lost: () => void
}

export class History {
  readonly #deps: HistoryDeps
  #current: HistoryIdentity
  losses: number
  #checking: Promise<void> | null = null

  constructor(deps: HistoryDeps, current: HistoryIdentity, losses = 0) {
    this.#deps = deps
    this.#current = current
    this.losses = losses
  }

  static async begin(deps: HistoryDeps, restored: boolean): Promise<History> {
    const { raised, ...current } = await deps.sql.begin(tx => identify(tx, deps.hold, { restored }))
    return new History(deps, current, raised ? 1 : 0)
  }

  /** Every append names it, and fails on another database or a document of an older generation. */
  get current(): HistoryIdentity {
    return this.#current
  }

  /** As a condition. A standby takes no writes, and its old state is valid until it is promoted. */
  get lost() {
    const { sql } = this.#deps
    const { identity, generation } = this.#current
    return sql`(not pg_is_in_recovery() and not (in_history(${identity}, ${generation}) and exists (
      select from database_generation where ${storedIdentity(sql)} = ${identity})))`
  }

  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  /** A document's log contradicts what was read before, although the database seems the same. */
  async contradicted(channel_id: string): Promise<void> {
    this.#deps.log.warn({ channel_id }, 'a channel’s log went back')
    await this.#identifyAgain(true)
  }

  async #check(): Promise<void> {
    const [row] = await this.#deps.sql<{ lost: boolean }[]>`select ${this.lost} as lost`
    if (row?.lost) await this.#identifyAgain(false)
  }

  async #identifyAgain(contradicted: boolean): Promise<void> {
    const { sql, hold, on_lost, log } = this.#deps
    const known = this.#current
    const { raised: _, ...current } = await sql.begin(tx => identify(tx, hold, { known, contradicted }))
    if (current.identity === this.#current.identity && current.generation === this.#current.generation) return
    this.#current = current
    this.losses++
    log.error({ known, current }, 'the database may have lost commits: documents begin a new epoch')
    on_lost()
  }
}

/** The first instance raises the generation. The others wait for the row's lock, and adopt what it stored. */
async function identify(
  tx: Transaction,
  hold: HistoryDeps['hold'],
  evidence: { restored?: boolean; known?: HistoryIdentity; contradicted?: boolean },
): Promise<HistoryIdentity & { raised: boolean }> {
  const { restored = false, known, contradicted = false } = evidence
  await tx`
    insert into database_generation (generation, system_identifier, database_oid, timeline)
    select 1, ${identityParts(tx)} on conflict do nothing`
  const [row] = await tx<{ identity: string; stored: string; generation: number }[]>`
    select database_identity() as identity, ${storedIdentity(tx)} as stored, generation
    from database_generation for update`
  if (!row) throw new Error('the row was just inserted')
  const { identity, stored, generation } = row
  const changed = contradicted || identity !== known?.identity || generation !== known.generation
  // A stored generation that is no newer than the known one was not raised for this loss.
  const unnoticed = known !== undefined && changed && generation <= known.generation
  if (!restored && identity === stored && !unnoticed) return { identity, generation, raised: false }
  const next = Math.max(generation, known?.generation ?? 0) + 1
  await tx`
    update database_generation set generation = ${next}, (system_identifier, database_oid, timeline) = (
      select ${identityParts(tx)})`
  await hold(tx)
  return { identity, generation: next, raised: true }
}

function identityParts(sql: Transaction) {
  return sql`
    split_part(database_identity(), ' ', 1), split_part(database_identity(), ' ', 2)::oid,
    ('x' || split_part(database_identity(), ' ', 3))::bit(32)::integer`
}

function storedIdentity(sql: AnySql) {
  return sql`concat_ws(' ', system_identifier, database_oid, lpad(upper(to_hex(timeline)), 8, '0'))`
}
