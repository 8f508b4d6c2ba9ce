// Writers that continue through every fault and record what was acknowledged.
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Card } from '../../shared/card.ts'

/** The service responds within this time, whatever happens. */
const ANSWER_MS = 15_000

type LoadTarget = { url: string; api_key: string }
type Result = { status: number; body: string } | { error: string }

/** A card: the numbers of PATCHes that returned 200, and of the last one sent. */
type Promised = { channel_id: string; acknowledged: number[]; sent: number }

export class Load {
  readonly cards = new Map<string, Promised>()
  /** How often each status or error occurred. */
  readonly met = new Map<string, number>()
  /** POSTs whose connection was closed, by the text of their cards. */
  readonly refused = new Set<string>()
  #stopped = false
  readonly #target: LoadTarget
  readonly #writers: Promise<void>[]

  constructor(target: LoadTarget, channel_ids: string[], writers: number) {
    this.#target = target
    this.#writers = Array.from({ length: writers }, (_, i) =>
      this.#write(channel_ids[i % channel_ids.length] ?? '', `writer ${i}`),
    )
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#writers)
  }

  /** Checks that every card that returned 201 exists once, with every PATCH that returned 200. */
  async expectKept(): Promise<void> {
    expect(this.cards.size).toBeGreaterThan(0)
    for (const [id, { channel_id, acknowledged, sent }] of this.cards) {
      const answer = await send(this.#target, 'GET', `/channels/${channel_id}/cards/${id}`)
      if ('error' in answer) throw new Error(answer.error)
      expect({ id, status: answer.status }).toEqual({ id, status: 200 })
      const card: Card = JSON.parse(answer.body)
      const block = card.blocks.find(({ type }) => type === 'kv')
      const rows = block?.type === 'kv' ? block.rows.map(({ key }) => Number(key)) : []
      expect(new Set(rows).size, 'no PATCH is applied twice').toBe(rows.length)
      expect(rows).toEqual(expect.arrayContaining(acknowledged))
      for (const number of rows) expect(number).toBeLessThanOrEqual(sent)
    }
  }

  async #write(channel_id: string, name: string): Promise<void> {
    const path = `/channels/${channel_id}/cards`
    for (let i = 0; !this.#stopped; i++) {
      const content = `${name}, card ${i}`
      const blocks = [
        { type: 'text', id: 'name', content },
        { type: 'kv', id: 'log', rows: [] },
      ]
      const made = await this.#send('POST', path, { blocks })
      if ('error' in made) this.refused.add(content)
      if ('error' in made || made.status !== 201) continue
      // Also tests rows next to the document, in a transaction of several statements.
      if (i % 5 === 0) await this.#send('PATCH', `/channels/${channel_id}`, { name: content })
      const { id }: { id: string } = JSON.parse(made.body)
      const promised: Promised = { channel_id, acknowledged: [], sent: 0 }
      this.cards.set(id, promised)
      for (let number = 1; number <= 3 && !this.#stopped; number++) {
        promised.sent = number
        const patch = { append_rows: [{ key: String(number), value: name }] }
        const patched = await this.#send('PATCH', `${path}/${id}`, { blocks: [{ id: 'log', patch }] })
        if ('status' in patched && patched.status === 200) promised.acknowledged.push(number)
      }
      await this.#send('GET', `${path}/${id}`)
    }
  }

  async #send(method: string, path: string, body?: object): Promise<Result> {
    const result = await send(this.#target, method, path, body)
    const name = 'status' in result ? String(result.status) : result.error
    this.met.set(name, (this.met.get(name) ?? 0) + 1)
    // The server is down: try again soon.
    if ('error' in result) await delay(20)
    return result
  }
}

/** A request on its own connection, so that a stale connection causes no error. */
function send({ url, api_key }: LoadTarget, method: string, path: string, body?: object): Promise<Result> {
  return new Promise(resolve => {
    const type = body && { 'Content-Type': 'application/json' }
    const headers = { Authorization: `Bearer ${api_key}`, ...type }
    const sent = request(`${url}/api/v1${path}`, { method, headers, agent: false }, response => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      response.on('error', error => resolve({ error: error.message }))
    })
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error('no answer')))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }))
    sent.end(body && JSON.stringify(body))
  })
}
