// Which database this instance writes to. A restored backup, a promoted standby or a copy under the same name may lack
// commits that this instance has shown or acknowledged: then its history was lost. The generation rises, every document
// begins a new epoch when it is next read, and until then nothing is appended.
import type { Logger } from 'pino'
import type { Sql, Transaction } from '../database/connect.ts'

/** The database's cluster, oid and timeline, as `database_identity()` names them, and the generation stored in it. */
export type Settled = { identity: string; generation: number }

export type HistoryDeps = {
  sql: Sql
  log: Logger
  /** Runs in the transaction that raises the generation: holds what must not be sent twice. */
  hold: (tx: Transaction) => Promise<void>
  /** The database may lack anything that is remembered of it. */
  on_lost: () => void
}

export class History {
  readonly #deps: HistoryDeps
  #settled: Settled
  #losses: number
  #checking: Promise<void> | null = null

  constructor(deps: HistoryDeps, settled: Settled, losses = 0) {
    this.#deps = deps
    this.#settled = settled
    this.#losses = losses
  }

  /** `restored`: the database was just put back from a backup. */
  static async begin(deps: HistoryDeps, restored: boolean): Promise<History> {
    const { raised, ...settled } = await deps.sql.begin(tx => settle(tx, deps.hold, { restored }))
    return new History(deps, settled, raised ? 1 : 0)
  }

  /** What each append is made for: any other database refuses it, and so does a document of an older generation. */
  get settled(): Settled {
    return this.#settled
  }

  /** How often this instance met lost history, for the metrics. */
  get losses(): number {
    return this.#losses
  }

  /** Asks which database answers now, and settles on it. Costs one short query if it is still the same. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  /** A document went back, or doesn't continue what was shown of it, although the database says it is the same. */
  async contradicted(channel_id: string): Promise<void> {
    this.#deps.log.warn({ channel_id }, 'a channel’s log went back')
    await this.#settleAgain(true)
  }

  async #check(): Promise<void> {
    const { identity, generation } = this.#settled
    const [row] = await this.#deps.sql<{ recovering: boolean; same: boolean }[]>`
      select pg_is_in_recovery() as recovering, in_history(${identity}, ${generation}) and exists (
        select from database_generation where ${storedIdentity(this.#deps.sql)} = ${identity}) as same`
    // A standby takes no writes, and shows what it has until it is promoted.
    if (row && !row.recovering && !row.same) await this.#settleAgain(false)
  }

  async #settleAgain(contradicted: boolean): Promise<void> {
    const { sql, hold, on_lost, log } = this.#deps
    const known = this.#settled
    const { raised: _, ...settled } = await sql.begin(tx => settle(tx, hold, { known, contradicted }))
    if (settled.identity === this.#settled.identity && settled.generation === this.#settled.generation) return
    this.#settled = settled
    this.#losses++
    log.error({ known, settled }, 'the database may lack commits: documents begin a new epoch')
    on_lost()
  }
}

type Evidence = {
  restored?: boolean
  /** What this instance settled with before. */
  known?: Settled
  /** Something shown under `known` isn't in the database. */
  contradicted?: boolean
}

/** One instance raises the generation, and those that follow it adopt what it stored: the row's lock orders them. */
async function settle(
  tx: Transaction,
  hold: HistoryDeps['hold'],
  { restored = false, known, contradicted = false }: Evidence,
): Promise<Settled & { raised: boolean }> {
  await tx`
    insert into database_generation (generation, system_identifier, database_oid, timeline)
    select 1, ${identityParts(tx)} on conflict do nothing`
  const [row] = await tx<{ identity: string; stored: string; generation: number }[]>`
    select database_identity() as identity, ${storedIdentity(tx)} as stored, generation
    from database_generation for update`
  if (!row) throw new Error('the row was just inserted')
  const { identity, stored, generation } = row
  const changed = contradicted || identity !== known?.identity || generation !== known.generation
  // A generation that this instance has known already says nothing of what was lost since.
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

function storedIdentity(sql: Sql | Transaction) {
  return sql`concat_ws(' ', system_identifier, database_oid, lpad(upper(to_hex(timeline)), 8, '0'))`
}
