// The HTTP side that all peers share: Hono, the service's own zod schema of a card, and nothing else.
// Each peer decides what to do with the card.
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { type Card, createCardBody, patchCardBody } from '../../../shared/card.ts'

export type BlockPatch = { id: string; patch: Record<string, unknown> }

export type Store = {
  insert(card: Card): void | Promise<void>
  patch?(channelId: string, cardId: string, blocks: BlockPatch[]): void | Promise<void>
}

/** Listens on a free port of the loopback address and prints the URL. */
export function serveCards(store: Store): Server {
  const app = new Hono()

  app.post('/api/v1/channels/:channelId/cards', async c => {
    const body = createCardBody.safeParse(await c.req.json())
    if (!body.success) return c.json({ error: body.error.message }, 400)
    const created_at = new Date().toISOString()
    const channel_id = c.req.param('channelId')
    const card = { id: randomUUID(), channel_id, ...body.data, created_at, updated_at: created_at }
    await store.insert(card)
    return c.json({ id: card.id, channel_id, created_at }, 201)
  })

  app.patch('/api/v1/channels/:channelId/cards/:cardId', async c => {
    const body = patchCardBody.safeParse(await c.req.json())
    if (!body.success) return c.json({ error: body.error.message }, 400)
    const { channelId, cardId } = c.req.param()
    await store.patch?.(channelId, cardId, body.data.blocks ?? [])
    return c.json({ id: cardId, updated_at: new Date().toISOString() }, 200)
  })

  return serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
    console.log(`listening on http://127.0.0.1:${port}`)
  }) as Server
}

/** Ends the process on SIGTERM, within ten seconds whatever `close` does. */
export function onTerminate(close: () => void | Promise<void>): void {
  process.once('SIGTERM', () => {
    const exit = () => process.exit(0)
    setTimeout(exit, 10_000)
    Promise.resolve(close()).then(exit, exit)
  })
}
