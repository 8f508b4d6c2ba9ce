// Takes a right away on one instance, and watches on every instance how long a request with it still passes, and what
// was opened with it stays open.
import { setTimeout as delay } from 'node:timers/promises'
import { OWN_PASSWORD } from '../../support/account.ts'
import type { Right } from '../actions.ts'
import type { Operation } from '../plan.ts'
import { now } from '../records.ts'
import { holdsWithin } from '../wait.ts'
import { type Openable, type Opened, open } from './opened.ts'
import { decisionIn } from './questions.ts'
import { CALL_MS, type Call, callsTo, fieldsOf, makeRoom, type Room } from './room.ts'
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
    open: Opened[]
    /** The first refused request; null if there was none. */
    refused: { at: number; status: number } | null
  }[]
}

/** Longer than any bound: the checker reads from the file when the right ended. */
const WATCH_MS = 15_000
/** Also on a busy machine. */
const OPEN_MS = 10_000
const PROBE_EVERY_MS = 50

/** A right of a viewer or a key to see a channel. */
type Granted = {
  /** Of a request that needs the right. */
  path: string
  headers: Record<string, string>
  /** What stays open with it. */
  things: Openable[]
  revoke: () => Promise<boolean>
}

/** Null if the faults of the run prevent it. */
export async function revoke(
  scene: Scene,
  { id: op, instance, right }: Extract<Operation, { kind: 'revoke' }>,
): Promise<Revoked | null> {
  // Nobody counts the cards of this user.
  const call = callsTo(scene.urls[instance] ?? '', { cookie: scene.hider_cookie })
  const granted = await GRANTS[right](call, op, scene)
  if (!granted) return null
  const watches = scene.urls.map(url => granted.things.map(thing => open(url, thing)))
  const allowed = await Promise.all(scene.urls.map(url => isAllowed(url, granted)))
  await holdsWithin(OPEN_MS, () => watches.flat().every(({ opened }) => opened))
  if (!(await granted.revoke())) return null
  const at = now()
  const seen = await Promise.all(
    watches.map(async (watch, i) => {
      const refused = await firstRefusal(scene.urls[i] ?? '', granted)
      const left_ms = WATCH_MS - (now() - at) / 1000
      await holdsWithin(left_ms, () => watch.every(({ opened, closed }) => !opened || closed !== null))
      const ended = watch.map(({ end, ...opened }) => {
        end()
        return { ...opened }
      })
      return { instance: i, allowed: allowed[i] ?? false, open: ended, refused }
    }),
  )
  return { op, right, instance, at, seen }
}

const GRANTS: Record<Right, (call: Call, op: string, scene: Scene) => Promise<Granted | null>> = {
  async key(call, op) {
    const room = await makeRoom(call, op, {}, INTERACTIVE)
    const asked = room && (await ask(call, room))
    const made = await call('POST', '/api-keys', { body: { name: op } })
    const { id, key } = fieldsOf(made?.body)
    if (!room || !asked || !key) return null
    const headers = { Authorization: `Bearer ${key}` }
    const channel = `/api/v1/channels/${room.channel_id}`
    return {
      path: channel,
      headers,
      things: [
        { what: 'socket', path: `/sync/${room.channel_id}?token=${encodeURIComponent(key)}`, headers: {} },
        { what: 'event stream', path: `${channel}/events`, headers },
        { what: 'wait', path: `${channel}/decisions/${asked}`, headers },
      ],
      revoke: async () => (await call('DELETE', `/api-keys/${id}`)) !== null,
    }
  },

  async session(call, op, { hider_email: email }) {
    const room = await makeRoom(call, op, {}, INTERACTIVE)
    const asked = room && (await ask(call, room))
    const body = { email, password: OWN_PASSWORD }
    const cookie = (await call('POST', '/auth/sign-in/email', { body, cookie: '' }))?.cookie
    if (!room || !asked || !cookie) return null
    const headers = { Cookie: cookie }
    const wait = {
      what: 'wait' as const,
      path: `/api/channels/${room.channel_id}/decisions/${asked}`,
      headers,
    }
    const end = () => call('POST', '/auth/sign-out', { cookie })
    return { ...viewOf(room, headers, [wait]), revoke: async () => (await end()) !== null }
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

  async channel(call, op, { hider_cookie }) {
    const room = await makeRoom(call, op, { visibility: 'public' }, INTERACTIVE)
    const asked = room && (await ask(call, room))
    if (!room || !asked) return null
    const headers = { Cookie: hider_cookie }
    const { things, ...view } = viewOf(room, {})
    const remove = () => call('DELETE', `/channels/${room.channel_id}`)
    return {
      ...view,
      things: [
        // The workspace's page stays.
        ...things.filter(({ what }) => what === 'socket'),
        { what: 'wait', path: `/api/channels/${room.channel_id}/decisions/${asked}`, headers },
      ],
      revoke: async () => (await remove()) !== null,
    }
  },

  async editor(call, op, scene) {
    const room = await makeRoom(call, op, {}, INTERACTIVE)
    const granted = room && (await joinAsEditor(call, room, scene))
    if (!room || !granted) return null
    const { things } = viewOf(room, { Cookie: scene.joiner.cookie })
    const remove = () => call('DELETE', `/workspaces/${room.workspace_id}/members/${scene.joiner.user_id}`)
    // A request of the key, whose role is cached.
    const all = { ...granted, things: [...granted.things, ...things] }
    return { ...all, revoke: async () => (await remove()) !== null }
  },

  async running(call, op, scene) {
    const room = await makeRoom(call, op, {}, INTERACTIVE)
    const granted = room && (await joinAsEditor(call, room, scene))
    if (!room || !granted) return null
    const member = `/workspaces/${room.workspace_id}/members/${scene.joiner.user_id}`
    const lower = () => call('PATCH', member, { body: { role: 'viewer' } })
    return { ...granted, revoke: async () => (await lower()) !== null }
  },
}

/** What the joiner has with a key. */
async function joinAsEditor(call: Call, room: Room, { joiner }: Scene) {
  const asked = await ask(call, room)
  const invite = await call('POST', `/workspaces/${room.workspace_id}/invites`, { body: { role: 'editor' } })
  const token = new URL(fieldsOf(invite?.body).url ?? 'http://localhost').hash.slice(1)
  const joined = await call('POST', '/invites/accept', { body: { token }, cookie: joiner.cookie })
  if (!asked || joined?.status !== 200) return null
  const headers = { Authorization: `Bearer ${joiner.api_key}` }
  const path = `/api/v1/channels/${room.channel_id}`
  const socket = `/sync/${room.channel_id}?token=${encodeURIComponent(joiner.api_key)}`
  const things: Openable[] = [
    { what: 'socket', path: socket, headers: {} },
    { what: 'event stream', path: `${path}/events`, headers },
    { what: 'wait', path: `${path}/decisions/${asked}`, headers },
  ]
  return { path, headers, things }
}

const INTERACTIVE = { mode: 'interactive' }

/** A question that nobody answers. Returns its decision. */
async function ask(call: Call, { channel_id }: Room): Promise<string | undefined> {
  const blocks = [{ type: 'button', id: 'ask', buttons: [{ id: 'yes', label: 'Yes' }], decision: {} }]
  return decisionIn((await call('POST', `/channels/${channel_id}/cards`, { body: { blocks } }))?.body)
}

const viewOf = ({ channel_id, slug }: Room, headers: Record<string, string>, more: Openable[] = []) => ({
  path: `/api/channels/${channel_id}/view`,
  headers,
  things: [
    { what: 'socket' as const, path: `/sync/${channel_id}`, headers },
    { what: 'workspace page' as const, path: `/live/workspaces/${slug}`, headers },
    ...more,
  ],
})

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
