// What stays open with a right: sockets, event streams, and requests that wait for a decision. Each ends with its right.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { now } from '../records.ts'
import { send } from './request.ts'

export type Opened = {
  what: 'socket' | 'workspace page' | 'event stream' | 'wait'
  /** Whether it was ever open. */
  opened: boolean
  /** Null if it was still open at the end. `code`: of a socket, or the status of an answer. */
  closed: { at: number; code: number } | null
}

export type Watch = Opened & { end(): void }

/** `path`: of the socket or request. */
export type Openable = { what: Opened['what']; path: string; headers: Record<string, string> }

const RETRY_MS = 100
const WAIT_S = 15

export function open(url: string, thing: Openable): Watch {
  const watch: Watch = { what: thing.what, opened: false, closed: null, end: () => {} }
  const closed = (code: number) => {
    watch.closed ??= { at: now(), code }
  }
  if (thing.what === 'wait') void wait(url, thing, watch, closed)
  else if (thing.what === 'event stream') void follow(url, thing, watch, closed)
  else {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${thing.path}`, { headers: thing.headers })
    watch.end = () => socket.terminate()
    socket.on('open', () => {
      watch.opened = true
    })
    socket.on('error', () => {})
    socket.on('close', closed)
  }
  return watch
}

async function follow(
  url: string,
  { path, headers }: Openable,
  watch: Watch,
  closed: (code: number) => void,
) {
  const controller = new AbortController()
  watch.end = () => controller.abort()
  try {
    const response = await fetch(`${url}${path}`, { headers, signal: controller.signal })
    if (!response.ok || !response.body) return closed(response.status)
    for await (const _ of response.body) watch.opened = true
    closed(response.status)
  } catch {
    closed(0)
  }
}

/** Repeats it until it is refused. It counts as open once it has been answered without waiting. */
async function wait(url: string, { path, headers }: Openable, watch: Watch, closed: (code: number) => void) {
  let ended = false
  watch.end = () => {
    ended = true
  }
  const first = await send('GET', `${url}${path}`, { headers })
  watch.opened = first.answer?.status === 200
  while (watch.opened && !ended && !watch.closed) {
    const { answer } = await send('GET', `${url}${path}?wait=${WAIT_S}`, { headers })
    if (answer && answer.status >= 400 && answer.status < 500) closed(answer.status)
    if (answer?.status !== 200) await delay(RETRY_MS)
  }
}
