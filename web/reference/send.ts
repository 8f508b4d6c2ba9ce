// Sends a request of the page, and shows its response while it arrives: an event stream stays open.
import { createSignal, onCleanup } from 'solid-js'
import type { ApiRequest } from '../builder/snippets.ts'

/** `ms`: until the response began. */
export type Answer = { status: number; ms: number; headers: [string, string][]; text: string; open: boolean }
type State = { state: 'idle' } | { state: 'sent' } | { state: 'failed' } | ({ state: 'answered' } & Answer)

/** More text would make the page slow. */
const TEXT_MAX = 200_000

export function createSender() {
  const [state, setState] = createSignal<State>({ state: 'idle' })
  let running: AbortController | undefined
  const stop = () => running?.abort()
  onCleanup(stop)

  async function send({ method, url, headers, key, body }: ApiRequest): Promise<void> {
    stop()
    const own = new AbortController()
    running = own
    const show = (next: State) => running === own && setState(next)
    show({ state: 'sent' })
    const started = performance.now()
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...headers,
          ...(key && { Authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: 'omit',
        cache: 'no-store',
        signal: own.signal,
      })
      const answer = {
        status: response.status,
        ms: Math.round(performance.now() - started),
        headers: [...response.headers],
      }
      let text = ''
      await readText(response, part => {
        text = (text + part).slice(-TEXT_MAX)
        show({ state: 'answered', ...answer, text, open: true })
      })
      show({ state: 'answered', ...answer, text: readable(text), open: false })
    } catch {
      const before = state()
      // The person stopped a stream, or the connection broke: what came stays.
      show(before.state === 'answered' ? { ...before, open: false } : { state: 'failed' })
    }
  }

  return { state, send, stop }
}

async function readText(response: Response, onPart: (part: string) => void): Promise<void> {
  onPart('')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) return
    onPart(value)
  }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
