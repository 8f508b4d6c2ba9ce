// A workspace of its own for something that a run watches, and calls that outlast faults.
import { setTimeout as delay } from 'node:timers/promises'
import type { Scene } from './scene.ts'

export const CALL_MS = 2_000
const TRIES = 10
const PAUSE_MS = 200

export type Call = (
  method: string,
  path: string,
  options?: { body?: object; cookie?: string },
) => Promise<{ status: number; body: unknown; cookie: string } | null>

/** Calls until an answer is known; null if there is none after a few seconds. By default with this session. */
export function callsTo(url: string, owner: Pick<Scene, 'cookie'>): Call {
  return async (method, path, { body, cookie = owner.cookie } = {}) => {
    const headers = { Cookie: cookie, ...(body && { 'Content-Type': 'application/json' }) }
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const signal = AbortSignal.timeout(CALL_MS)
        const sent = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
        const response = await fetch(`${url}/api${path}`, sent)
        const text = await response.text()
        const set = response.headers.get('Set-Cookie')?.split(';')[0] ?? ''
        if (response.status < 500)
          return { status: response.status, body: text === '' ? null : JSON.parse(text), cookie: set }
      } catch {
        // The instance is down or out of reach.
      }
      await delay(PAUSE_MS)
    }
    return null
  }
}

export type Room = { workspace_id: string; channel_id: string; slug: string }

/** A workspace of its own, with a channel. A repeated try may leave another one behind. */
export async function makeRoom(
  call: Call,
  op: string,
  access: object,
  channel: object = {},
): Promise<Room | null> {
  const workspace = await call('POST', '/workspaces', { body: { name: op } })
  const { id: workspace_id, slug } = fieldsOf(workspace?.body)
  if (!workspace_id || !slug) return null
  const changed = await call('PATCH', `/workspaces/${workspace_id}`, { body: access })
  // Not named after the operation, because no checker counts it.
  const made = await call('POST', '/channels', { body: { name: 'Room', workspace_id, ...channel } })
  const { id: channel_id } = fieldsOf(made?.body)
  return changed?.status === 200 && channel_id ? { workspace_id, channel_id, slug } : null
}

export const fieldsOf = (body: unknown): Partial<Record<'id' | 'key' | 'slug' | 'url', string>> =>
  typeof body === 'object' && body !== null ? body : {}
