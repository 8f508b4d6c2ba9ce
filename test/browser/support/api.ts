// The REST API as an automation uses it, and blocks for its cards.
import type { TestServer } from '../../support/server.ts'

export type Api = ReturnType<typeof makeApi>

export type Send = <T = unknown>(method: string, path: string, body?: object) => Promise<T>

/** Sends JSON to paths below `url`. Resolves with the parsed response, and rejects for an error. */
export function makeSend(url: string, headers: Record<string, string>): Send {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text === '' ? 'null' : text)
  }
}

export function makeApi({ url, api_key, workspace_id }: TestServer) {
  const send = makeSend(`${url}/api/v1`, { Authorization: `Bearer ${api_key}` })
  return {
    createChannel: (name: string, fields: object = {}) =>
      send<{ id: string }>('POST', '/channels', { name, workspace_id, mode: 'interactive', ...fields }),
    patchChannel: (id: string, body: object) => send('PATCH', `/channels/${id}`, body),
    deleteChannel: (id: string) => send('DELETE', `/channels/${id}`),
    addAction: (channel: string, label: string, style: string, position: number) =>
      send('POST', `/channels/${channel}/actions`, { label, style, position }),
    push: (channel: string, blocks: object[], status = 'default') =>
      send<{ id: string; decisions?: { id: string }[] }>('POST', `/channels/${channel}/cards`, {
        blocks,
        status,
      }),
    patch: (channel: string, card: string, body: object) =>
      send('PATCH', `/channels/${channel}/cards/${card}`, body),
    withdraw: (channel: string, decision: string) =>
      send('DELETE', `/channels/${channel}/decisions/${decision}`),
    remove: (channel: string, card: string) => send('DELETE', `/channels/${channel}/cards/${card}`),
  }
}

export const text = (content: string, id = 'text') => ({ type: 'text', id, content })

export const input = (id: string, label: string, fields = {}) => ({ type: 'input', id, label, ...fields })
export const toggle = (id: string, label: string, fields = {}) => ({ type: 'toggle', id, label, ...fields })
export const kv = (rows: object[]) => ({ type: 'kv', id: 'kv', rows })

/** A block of buttons. A name is the label of a button whose id is the same in lower case. */
export const buttons = (...list: (string | object)[]) => ({
  type: 'button',
  id: 'buttons',
  buttons: list.map(one => (typeof one === 'string' ? { id: one.toLowerCase(), label: one } : one)),
})

/** A block of buttons that are the choices of a question. */
export const question = (decision: object, ...list: (string | object)[]) => ({
  ...buttons(...list),
  decision,
})

/** Many cards in no order. */
export async function pushFillers(api: Api, channel: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 40)
    await Promise.all(
      Array.from({ length: Math.min(40, count - i) }, () => api.push(channel, [text('Filler')])),
    )
}

/** Pushes the cards “Card 1” to “Card `count`”, one after another. */
export async function pushMany(api: Api, channel: string, count: number): Promise<void> {
  for (let i = 1; i <= count; i++) await api.push(channel, [text(`Card ${i}`)])
}
