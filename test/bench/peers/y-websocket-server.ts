// @y/websocket-server as published, in memory. Its documents need its own copy of Yjs (14).
import { getYDoc, setupWSConnection } from '@y/websocket-server/utils'
import { WebSocketServer } from 'ws'
import * as Y from '../node_modules/@y/websocket-server/node_modules/yjs/src/index.js'
import { onTerminate, serveCards } from './app.ts'
import { patchCard, pushCard } from './nested.ts'

const server = serveCards({
  insert(card) {
    const doc = getYDoc(card.channel_id)
    doc.transact(() => pushCard(Y, doc, card))
  },
  patch(channelId, cardId, blocks) {
    const doc = getYDoc(channelId)
    doc.transact(() => patchCard(doc, cardId, blocks))
  },
})

const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket, request) => {
  setupWSConnection(socket, request, { docName: request.url.split('/').pop().split('?')[0] })
})
onTerminate(() => {})
