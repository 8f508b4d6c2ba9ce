// The limit of fan-out: `ws` sends one Buffer, the card's JSON, to every socket of the channel. Keeps nothing.
import { WebSocketServer } from 'ws'
import { onTerminate, serveCards } from './app.ts'

const server = serveCards({
  insert(card) {
    const message = Buffer.from(JSON.stringify(card))
    for (const socket of sockets.clients) socket.send(message)
  },
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
onTerminate(() => {})
