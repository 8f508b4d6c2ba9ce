// Hocuspocus with its database extension on PostgreSQL. DURABLE=0: one direct connection per channel is kept,
// and the extension stores 2 to 10 s later. DURABLE=1: connect, transact, disconnect for every card, as its
// documentation shows, which stores before the answer.

import { setTimeout as delay } from 'node:timers/promises'
import { Database } from '@hocuspocus/extension-database'
import { Hocuspocus } from '@hocuspocus/server'
import { WebSocketServer } from 'ws'
import * as Y from 'yjs'
import { onTerminate, serveCards } from './app.ts'
import { openDatabase } from './database.ts'
import { patchCard, pushCard } from './nested.ts'

const { sql, close } = await openDatabase()
await sql`create table if not exists documents (name text primary key, data bytea not null)`

const hocuspocus = new Hocuspocus({
  quiet: true,
  extensions: [
    new Database({
      async fetch({ documentName }) {
        const [row] = await sql`select data from documents where name = ${documentName}`
        return row?.data ?? null
      },
      async store({ documentName, state }) {
        await sql`
          insert into documents (name, data) values (${documentName}, ${state})
          on conflict (name) do update set data = excluded.data`
      },
    }),
  ],
})

const kept = new Map<string, ReturnType<typeof hocuspocus.openDirectConnection>>()

async function change(channelId: string, edit: (doc: Y.Doc) => void): Promise<void> {
  if (process.env.DURABLE === '1') {
    const connection = await hocuspocus.openDirectConnection(channelId)
    await connection.transact(edit)
    return connection.disconnect()
  }
  const opening = kept.get(channelId) ?? hocuspocus.openDirectConnection(channelId)
  kept.set(channelId, opening)
  await (await opening).transact(edit)
}

const server = serveCards({
  insert: card => change(card.channel_id, doc => pushCard(Y, doc, card)),
  patch: (channelId, cardId, blocks) => change(channelId, doc => patchCard(doc, cardId, blocks)),
})

const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket, request) => {
  const connection = hocuspocus.handleConnection(socket, new Request(`http://127.0.0.1${request.url}`))
  socket.on('message', (message: Buffer) => connection.handleMessage(message))
  socket.on('close', (code, reason) => connection.handleClose({ code, reason: String(reason) }))
})

onTerminate(async () => {
  for (const socket of sockets.clients) socket.terminate()
  hocuspocus.flushPendingStores()
  const documents = () => [...hocuspocus.documents.values()]
  const isStoring = ({ name, saveMutex }) =>
    saveMutex.isLocked() || hocuspocus.debouncer.isCurrentlyExecuting(`onStoreDocument-${name}`)
  while (documents().some(isStoring)) await delay(20)
  await close()
})
