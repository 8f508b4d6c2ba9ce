// A client of a channel's event stream, as an automation would write it.
import { afterTest } from './after-test.ts'

export type StreamEvent = { event: string; id: string; data: unknown }

export type Listener = Awaited<ReturnType<typeof listen>>

/** Resolves when the stream has begun; later changes are reported. It leaves after the test. */
export async function listen(
  request: (init: RequestInit) => Response | Promise<Response>,
  headers: Record<string, string> = {},
) {
  const controller = new AbortController()
  afterTest(() => controller.abort())
  const response = await request({ headers, signal: controller.signal })
  const events: StreamEvent[] = []
  const comments: string[] = []
  let taken = 0
  let wake = () => {}
  let over = false

  async function read(): Promise<void> {
    if (!response.body) return
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        receive(text.slice(0, end))
        text = text.slice(end + 2)
        wake()
      }
    }
  }

  function receive(message: string): void {
    const [first = '', ...fields] = message.split('\n')
    if (first.startsWith(':')) {
      comments.push(first.slice(1).trim())
      const id = fields.find(field => field.startsWith('id: '))
      if (id) stream.first_id = id.slice('id: '.length)
    } else events.push(parseEvent(message))
  }

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (over) throw new Error(`the stream ended after ${JSON.stringify(events.slice(-3))}`)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }

  async function take(count: number): Promise<StreamEvent[]> {
    const from = taken
    taken += count
    await until(() => events.length >= from + count)
    return events.slice(from, from + count)
  }

  const stream = {
    status: response.status,
    headers: response.headers,
    /** All events so far. */
    events,
    comments,
    /** The position at which the stream began. */
    first_id: '',
    take,
    /** The next event that the test hasn't taken. */
    async next(): Promise<StreamEvent> {
      const [event] = await take(1)
      if (!event) throw new Error('take returns as many events as requested')
      return event
    },
    async comment(): Promise<string> {
      const count = comments.length
      await until(() => comments.length > count)
      return comments.at(-1) ?? ''
    },
    /** Resolves when the server ends the stream. */
    ended: read()
      .catch(error => {
        if (!controller.signal.aborted) throw error
      })
      .finally(() => {
        over = true
        wake()
      }),
    leave: () => controller.abort(),
  }
  if (response.ok) await until(() => comments.length > 0)
  return stream
}

/** The channel's events over HTTP. `last_id`: the last event of an earlier stream. */
export function listenTo(url: string, api_key: string, channel_id: string, last_id?: string) {
  return listen(init => fetch(`${url}/api/v1/channels/${channel_id}/events`, init), {
    Authorization: `Bearer ${api_key}`,
    ...(last_id !== undefined && { 'Last-Event-ID': last_id }),
  })
}

function parseEvent(message: string): StreamEvent {
  const fields = new Map<string, string>()
  for (const line of message.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null'),
  }
}
