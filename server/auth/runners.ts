// Whether those with open requests about a channel still may run it.
import type { Sql } from '../database/connect.ts'
import { type ApiError, accessDenied, notFound, unauthorized } from '../errors.ts'

/** `key_id`: null for a session. */
export type Runner = { channel_id: string; user_id: string; key_id: string | null }

/** Why each may not go on, in their order; null if it may. */
export async function refusalsOf(sql: Sql, runners: readonly Runner[]): Promise<(ApiError | null)[]> {
  const asked = runners.map((runner, at) => ({ at, ...runner }))
  const rows = await sql<{ at: number; has_key: boolean; exists: boolean; may_run: boolean }[]>`
    select r.at, (r.key_id is null or k.id is not null) as has_key, c.id is not null as "exists",
      coalesce(w.user_id = r.user_id or m.role = 'editor', false) as may_run
    from json_to_recordset(${JSON.stringify(asked)}::text::json)
        as r (at integer, channel_id uuid, user_id uuid, key_id uuid)
      left join api_keys k on k.id = r.key_id
      left join channels c on c.id = r.channel_id
      left join workspaces w on w.id = c.workspace_id
      left join workspace_members m on m.workspace_id = w.id and m.user_id = r.user_id`
  const refusals = new Map(
    rows.map(({ at, has_key, exists, may_run }) => {
      if (!has_key) return [at, unauthorized()]
      if (!exists) return [at, notFound('Channel')]
      return [at, may_run ? null : accessDenied()]
    }),
  )
  return runners.map((_, at) => refusals.get(at) ?? null)
}

export type RefusalsOf = (runners: Runner[]) => Promise<(ApiError | null)[]>

/** Those whose right may have ended, until they are checked together. */
export class Suspects {
  readonly #refusalsOf: RefusalsOf
  #runners = new Map<string, Runner>()

  constructor(refusalsOf: RefusalsOf) {
    this.#refusalsOf = refusalsOf
  }

  add(runner: Runner): void {
    this.#runners.set(nameOf(runner), runner)
  }

  /** Why some of them may not go on. If it throws, they are checked the next time. */
  async check(): Promise<(runner: Runner) => ApiError | null> {
    const runners = this.#runners
    if (runners.size === 0) return () => null
    this.#runners = new Map()
    try {
      const refusals = await this.#refusalsOf([...runners.values()])
      const refused = new Map([...runners.keys()].map((name, i) => [name, refusals[i] ?? null]))
      return runner => refused.get(nameOf(runner)) ?? null
    } catch (error) {
      this.#runners = new Map([...runners, ...this.#runners])
      throw error
    }
  }
}

const nameOf = ({ channel_id, user_id, key_id }: Runner) => `${channel_id} ${user_id} ${key_id}`
