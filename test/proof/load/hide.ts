// Hides receipts: a workspace becomes public, or a channel's receipts are turned off. Viewers without an account watch on
// every instance whether they still see the name of the person who pressed.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { hello, readSync } from '../../bench/load/dialects.ts'
import type { Hiding } from '../actions.ts'
import type { Operation } from '../plan.ts'
import { now } from '../records.ts'
import { CALL_MS, type Call, callsTo, fieldsOf, makeRoom } from './room.ts'
import type { Scene } from './scene.ts'

/** A line of hidden.jsonl. `at`: when a client read the acknowledgement. */
export type Hidden = {
  op: string
  how: Hiding
  at: number
  /** Whether the owner saw the name before. */
  shown: boolean
  seen: {
    instance: number
    /** How many answers and frames the viewer got afterwards. */
    answers: number
    /** When the viewer asked last for something that showed the name; null if nothing did. */
    named: number | null
  }[]
}

const WATCH_MS = 4_000
const POLL_MS = 50
const PRESSES = 2
/** The name of every account of the harness, as JSON has it, and as a document's bytes do. */
const NAME = '"name":"Ann"'
const NAME_BYTES = Buffer.from('name\x77\x03Ann')

/** Null if the faults of the run prevent it. */
export async function hide(
  scene: Scene,
  { id: op, instance, how }: Extract<Operation, { kind: 'hide' }>,
): Promise<Hidden | null> {
  const call = callsTo(scene.urls[instance] ?? '', { cookie: scene.hider_cookie })
  const [visibility, receipts] = how === 'public' ? ['private', 'auto'] : ['public', 'on']
  const room = await makeRoom(call, op, { visibility }, { mode: 'interactive', receipts })
  if (!room || !(await pressAll(call, room.channel_id))) return null
  const page = await call('GET', `/channels/${room.channel_id}/pages/0`)
  const shown = JSON.stringify(page?.body ?? null).includes(NAME)
  const watches = scene.urls.map(url => watch(url, room.channel_id, how))
  const change =
    how === 'public'
      ? await call('PATCH', `/workspaces/${room.workspace_id}`, { body: { visibility: 'public' } })
      : await call('PATCH', `/channels/${room.channel_id}`, { body: { receipts: 'off' } })
  const at = now()
  await delay(WATCH_MS)
  const seen = await Promise.all(watches.map(async (end, i) => ({ instance: i, ...(await end(at)) })))
  return change?.status === 200 ? { op, how, at, shown, seen } : null
}

/** The owner presses the buttons of new cards. */
async function pressAll(call: Call, channel_id: string): Promise<boolean> {
  for (let i = 0; i < PRESSES; i++) {
    const blocks = [{ type: 'button', id: 'buttons', buttons: [{ id: 'ok', label: 'OK' }] }]
    const made = await call('POST', `/channels/${channel_id}/cards`, { body: { blocks } })
    const { id: card_id } = fieldsOf(made?.body)
    const body = { card_id, trigger: { type: 'button_click', button_id: 'ok' } }
    const pressed = await call('POST', `/channels/${channel_id}/interactions`, { body })
    if (pressed?.status !== 201) return false
  }
  return true
}

type Look = { begin: number; named: boolean }

/** Returns the function that ends it. */
function watch(url: string, channel_id: string, how: Hiding) {
  const looks: Look[] = []
  let ended = false
  const polling = (async () => {
    while (!ended) {
      const begin = now()
      const text = await textOf(`${url}/api/channels/${channel_id}/pages/0`)
      if (text !== null) looks.push({ begin, named: text.includes(NAME) })
      await delay(POLL_MS)
    }
  })()
  const doc = new Y.Doc()
  let socket: WebSocket
  const join = () => {
    socket = new WebSocket(`${url.replace('http', 'ws')}/sync/${channel_id}`, { handshakeTimeout: CALL_MS })
    socket.on('open', () => {
      for (const frame of hello('y-websocket', channel_id, Y.encodeStateVector(doc))) socket.send(frame)
    })
    socket.on('message', (bytes: Buffer) => {
      const sync = readSync('y-websocket', bytes)
      if (!sync) return
      Y.applyUpdate(doc, sync.update)
      // A viewer of a workspace that was private must not even be sent it.
      const sent = how === 'public' && bytes.includes(NAME_BYTES)
      looks.push({ begin: now(), named: sent || shows(doc) })
    })
    socket.on('error', () => {})
    socket.on('close', () => !ended && setTimeout(join, POLL_MS))
  }
  join()
  return async (since: number): Promise<Pick<Hidden['seen'][number], 'answers' | 'named'>> => {
    looks.push({ begin: now(), named: shows(doc) })
    ended = true
    socket.terminate()
    await polling
    doc.destroy()
    const named = looks.filter(look => look.named).map(({ begin }) => begin)
    return {
      answers: looks.filter(({ begin }) => begin >= since).length,
      named: named.length > 0 ? Math.max(...named) : null,
    }
  }
}

const shows = (doc: Y.Doc) => JSON.stringify(doc.getMap('pages').toJSON()).includes(NAME)

/** Null if the viewer may not see it, or the instance is out of reach. */
async function textOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(CALL_MS) })
    const text = await response.text()
    return response.status === 200 ? text : null
  } catch {
    return null
  }
}
