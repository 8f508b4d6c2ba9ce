// Takes a right away on one instance, and watches on every instance how long a request with it still passes and a socket
// stays open.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { OWN_PASSWORD } from '../../support/account.ts'
import type { Operation, Right } from '../plan.ts'
import { now } from '../records.ts'
import { holdsWithin } from '../wait.ts'
import type { Scene } from './scene.ts'

/** A line of rights.jsonl. `at`: when a client read the acknowledgement. */
export type Revoked = {
  op: string
  right: Right
  instance: number
  at: number
  seen: {
    instance: number
    /** Whether a request with the right passed before it was taken away. */
    allowed: boolean
    /** Null if the socket was still open at the end. `opened`: whether there was one. */
    opened: boolean
    closed: { at: number; code: number } | null
    /** The first refused request; null if there was none. */
    refused: { at: number; status: number } | null
  }[]
}

/** Longer than any bound: the checker reads from the file when the right ended. */
const WATCH_MS = 15_000
const OPEN_MS = 3_000
const CALL_MS = 2_000
const TRIES = 10
const PAUSE_MS = 200
const PROBE_EVERY_MS = 50

/** A right of a viewer or a key to see a channel. */
type Granted = {
  /** Of a request and a socket that need the right. */
  path: string
  socket: string
  headers: Record<string, string>
  revoke: () => Promise<boolean>
}

/** Null if the faults of the run prevent it. */
export async function revoke(
  scene: Scene,
  { id: op, instance, right }: Extract<Operation, { kind: 'revoke' }>,
): Promise<Revoked | null> {
  const call = callsTo(scene.urls[instance] ?? '', scene)
  const granted = await GRANTS[right](call, op, scene)
  if (!granted) return null
  const watches = scene.urls.map(url => watchSocket(url, granted))
  const allowed = await Promise.all(scene.urls.map(url => isAllowed(url, granted)))
  await holdsWithin(OPEN_MS, () => watches.every(({ opened }) => opened))
  if (!(await granted.revoke())) return null
  const at = now()
  const seen = await Promise.all(
    watches.map(async (watch, i) => {
      const refused = await firstRefusal(scene.urls[i] ?? '', granted)
      const left_ms = WATCH_MS - (now() - at) / 1000
      await holdsWithin(left_ms, () => !watch.opened || watch.closed !== null)
      const { opened, closed } = watch
      watch.end()
      return { instance: i, allowed: allowed[i] ?? false, opened, closed, refused }
    }),
  )
  return { op, right, instance, at, seen }
}

type Call = (
  method: string,
  path: string,
  options?: { body?: object; cookie?: string },
) => Promise<{ status: number; body: unknown; cookie: string } | null>

/** Calls until an answer is known; null if there is none after a few seconds. By default with the owner's session. */
function callsTo(url: string, scene: Scene): Call {
  return async (method, path, { body, cookie = scene.cookie } = {}) => {
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

const GRANTS: Record<Right, (call: Call, op: string, scene: Scene) => Promise<Granted | null>> = {
  async key(call, op) {
    const room = await makeRoom(call, op, {})
    const made = await call('POST', '/api-keys', { body: { name: op } })
    const { id, key } = fieldsOf(made?.body)
    if (!room || !key) return null
    return {
      path: `/api/v1/channels/${room.channel_id}`,
      socket: `/sync/${room.channel_id}?token=${encodeURIComponent(key)}`,
      headers: { Authorization: `Bearer ${key}` },
      revoke: async () => (await call('DELETE', `/api-keys/${id}`)) !== null,
    }
  },

  async session(call, op, { email }) {
    const room = await makeRoom(call, op, {})
    const body = { email, password: OWN_PASSWORD }
    const cookie = (await call('POST', '/auth/sign-in/email', { body, cookie: '' }))?.cookie
    if (!room || !cookie) return null
    const end = () => call('POST', '/auth/sign-out', { cookie })
    return { ...viewOf(room, { Cookie: cookie }), revoke: async () => (await end()) !== null }
  },

  async visibility(call, op) {
    const room = await makeRoom(call, op, { visibility: 'public' })
    if (!room) return null
    const hide = () => call('PATCH', `/workspaces/${room.workspace_id}`, { body: { visibility: 'private' } })
    return { ...viewOf(room, {}), revoke: async () => (await hide()) !== null }
  },

  async password(call, op) {
    const password = 'the first password'
    const room = await makeRoom(call, op, { visibility: 'protected', password })
    const body = { workspace_id: room?.workspace_id, password }
    const cookie = room && (await call('POST', '/channel-unlock', { body, cookie: '' }))?.cookie
    if (!room || !cookie) return null
    const change = () =>
      call('PATCH', `/workspaces/${room.workspace_id}`, { body: { password: 'another password' } })
    return { ...viewOf(room, { Cookie: cookie }), revoke: async () => (await change()) !== null }
  },

  async channel(call, op) {
    const room = await makeRoom(call, op, { visibility: 'public' })
    if (!room) return null
    const remove = () => call('DELETE', `/channels/${room.channel_id}`)
    return { ...viewOf(room, {}), revoke: async () => (await remove()) !== null }
  },
}

type Room = { workspace_id: string; channel_id: string }

/** A workspace of its own, with a channel. A repeated try may leave another one behind. */
async function makeRoom(call: Call, op: string, access: object): Promise<Room | null> {
  const { id: workspace_id } = fieldsOf((await call('POST', '/workspaces', { body: { name: op } }))?.body)
  if (!workspace_id) return null
  const changed = await call('PATCH', `/workspaces/${workspace_id}`, { body: access })
  // Not named after the operation, because no checker counts it.
  const made = await call('POST', '/channels', { body: { name: 'Room', workspace_id } })
  const { id: channel_id } = fieldsOf(made?.body)
  return changed?.status === 200 && channel_id ? { workspace_id, channel_id } : null
}

const viewOf = ({ channel_id }: Room, headers: Record<string, string>) => ({
  path: `/api/channels/${channel_id}/view`,
  socket: `/sync/${channel_id}`,
  headers,
})

function watchSocket(url: string, { socket: path, headers }: Granted) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
  const watch: Pick<Revoked['seen'][number], 'opened' | 'closed'> & { end(): void } = {
    opened: false,
    closed: null,
    end: () => socket.terminate(),
  }
  socket.on('open', () => {
    watch.opened = true
  })
  socket.on('error', () => {})
  socket.on('close', code => {
    watch.closed ??= { at: now(), code }
  })
  return watch
}

const isAllowed = (url: string, granted: Granted): Promise<boolean> =>
  holdsWithin(OPEN_MS, async () => (await statusOf(url, granted)) === 200)

async function firstRefusal(url: string, granted: Granted) {
  const deadline = performance.now() + WATCH_MS
  while (performance.now() < deadline) {
    const status = await statusOf(url, granted)
    if (status >= 400 && status < 500) return { at: now(), status }
    await delay(PROBE_EVERY_MS)
  }
  return null
}

/** 0 if the instance is down or out of reach. */
async function statusOf(url: string, { path, headers }: Granted): Promise<number> {
  try {
    const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(CALL_MS) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

const fieldsOf = (body: unknown): Partial<Record<'id' | 'key', string>> =>
  typeof body === 'object' && body !== null ? body : {}
