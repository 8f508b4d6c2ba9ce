// What the database holds at the end of a run, for the checkers.

import * as Y from 'yjs'
import type { PublicJwk } from '../../../server/key-pair.ts'
import type { Decision } from '../../../shared/decision.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { clocksOf, digestOf } from './digest.ts'
import type { Scene } from './scene.ts'

/** A line of ending.jsonl. */
export type Ending =
  | { kind: 'settings'; channel_id: string; settings: Settings }
  /** Every channel of the owner's workspace. */
  | { kind: 'channel'; name: string }
  | { kind: 'owner'; channel_id: string; user_id: string }
  | { kind: 'usage'; user_id: string; day: string; cards: number }
  /** A row of `decisions`. `presses`: the interactions that answered it, or that say that it expired. */
  | { kind: 'decision'; channel_id: string; decision: Decision; presses: string[] }
  /** A decision that is signed. `card`: null if it is deleted. `values`: null if the card has no inputs. */
  | { kind: 'signed decision'; id: string; jws: string; card: object | null; values: object | null }
  | { kind: 'signing key'; kid: string; jwk: PublicJwk }
  /** Of each snapshot that was written. `by_worker`: not by the event loop. */
  | { kind: 'snapshot'; channel_id: string; seq: number; bytes: number; by_worker: boolean }
  /** The snapshot that a channel has at the end. */
  | ({ kind: 'stored snapshot' } & StoredSnapshot)

type StoredSnapshot = {
  channel_id: string
  epoch: number
  seq: number
  clocks: Record<string, number>
  digest: string
}

/** What the log of cards doesn't show. */
export type Settings = {
  description: string | null
  webhook_url: string | null
  attributes: Record<string, string>
  action_labels: string[]
}

export async function readEnding({ sql }: Cluster, { channel_ids, workspace_id }: Scene): Promise<Ending[]> {
  const settings = await sql<({ channel_id: string } & Settings)[]>`
    select id as channel_id, description, webhook_url,
      (select coalesce(jsonb_object_agg(key, value), '{}') from channel_attributes a where a.channel_id = c.id) as attributes,
      (select coalesce(jsonb_agg(label), '[]') from header_actions a where a.channel_id = c.id) as action_labels
    from channels c where id = any(${channel_ids}::uuid[])`
  const channels = await sql<{ name: string }[]>`
    select name from channels where workspace_id = ${workspace_id}`
  const owners = await sql<{ channel_id: string; user_id: string }[]>`
    select c.id as channel_id, w.user_id from channels c join workspaces w on w.id = c.workspace_id
    where c.id = any(${channel_ids}::uuid[])`
  const decisions = await sql<{ channel_id: string; decision: Decision; presses: string[] }[]>`
    select channel_id, decision, to_jsonb(array(
      select interaction_id::text from interactions i
      where i.channel_id = d.channel_id and i.decision_id = d.id)) as presses
    from decisions d where channel_id = any(${channel_ids}::uuid[])`
  const signed = await sql<{ id: string; jws: string; card: object | null; values: object | null }[]>`
    select id, jws, signed_card as card, signed_values as values from decisions
    where jws is not null and channel_id = any(${channel_ids}::uuid[])`
  const keys = await sql<{ kid: string; jwk: PublicJwk }[]>`
    select kid, jwk from signing_keys where first_used_at is not null and revoked_at is null`
  const usage = await sql<{ user_id: string; day: string; cards: number }[]>`
    select user_id, day, cards from daily_usage`
  const snapshots = await sql<{ channel_id: string; seq: number; bytes: number; by_worker: boolean }[]>`
    select * from proof.snapshots`
  return [
    ...settings.map(({ channel_id, ...settings }) => ({ kind: 'settings' as const, channel_id, settings })),
    ...channels.map(row => ({ kind: 'channel' as const, ...row })),
    ...owners.map(row => ({ kind: 'owner' as const, ...row })),
    ...decisions.map(row => ({ kind: 'decision' as const, ...row })),
    ...signed.map(row => ({ kind: 'signed decision' as const, ...row })),
    ...keys.map(row => ({ kind: 'signing key' as const, ...row })),
    ...usage.map(row => ({ kind: 'usage' as const, ...row })),
    ...snapshots.map(row => ({ kind: 'snapshot' as const, ...row })),
    ...(await readSnapshots(sql)).map(row => ({ kind: 'stored snapshot' as const, ...row })),
  ]
}

async function readSnapshots(sql: Cluster['sql']): Promise<StoredSnapshot[]> {
  const rows = await sql<{ channel_id: string; epoch: number; seq: number; state: Uint8Array }[]>`
    select channel_id, epoch, seq, state from document_snapshots`
  return rows.map(({ state, ...row }) => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, state)
    return { ...row, clocks: clocksOf(doc), digest: digestOf(doc) }
  })
}
