// The roles of people who aren't the owner, checked from a cache.
import type { MemberRole } from '../../shared/role.ts'
import type { Sql } from '../database/connect.ts'
import { RightsCache } from './rights-cache.ts'

const CACHE_MAX = 20_000

type Held = { workspace_id: string; user_id: string; role: MemberRole | null }

export type Roles = ReturnType<typeof createRoles>

/** `elapsed`: a monotonic clock in milliseconds. */
export function createRoles(sql: Sql, elapsed: () => number) {
  const cache = new RightsCache<Held>({ read, elapsed, max: CACHE_MAX })

  async function read(name: string): Promise<Held> {
    const [workspace_id = '', user_id = ''] = name.split(' ')
    const [member] = await sql<{ role: MemberRole }[]>`
      select role from workspace_members where workspace_id = ${workspace_id} and user_id = ${user_id}`
    return { workspace_id, user_id, role: member?.role ?? null }
  }

  return {
    /** A cached role comes without a promise. */
    find(workspace_id: string, user_id: string): MemberRole | null | Promise<MemberRole | null> {
      const held = cache.find(`${workspace_id} ${user_id}`)
      return held instanceof Promise ? held.then(found => found?.role ?? null) : held.role
    },
    /** Call these after the change is committed. */
    forget: (workspace_id: string, user_id: string) =>
      cache.forgetWhere(held => held.workspace_id === workspace_id && held.user_id === user_id),
    forgetWorkspace: (workspace_id: string) => cache.forgetWhere(held => held.workspace_id === workspace_id),
    forgetAll: () => cache.forgetWhere(() => true),
    busConnected: (is_connected: boolean) => cache.busConnected(is_connected),
  }
}
