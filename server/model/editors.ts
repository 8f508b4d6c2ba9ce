// The people who run a workspace's channels beside its owner.
import type { AnySql } from '../database/connect.ts'

export async function readEditors(sql: AnySql, workspace_id: string): Promise<string[]> {
  const rows = await sql<{ user_id: string }[]>`
    select user_id from workspace_members where workspace_id = ${workspace_id} and role = 'editor'`
  return rows.map(({ user_id }) => user_id)
}
