// The limit of waiting requests: node:http alone. A GET waits until a POST to the same path answers it. Keeps nothing.
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { onTerminate } from './app.ts'

const waiting = new Map<string, ServerResponse>()

const server = createServer((request, response) => {
  const path = request.url?.split('?')[0] ?? ''
  if (request.method === 'GET') {
    waiting.set(path, response)
    response.once('close', () => waiting.delete(path))
    return
  }
  request.resume()
  waiting.get(path)?.end('{}')
  response.statusCode = 201
  response.end(JSON.stringify({ decisions: [{ id: randomUUID() }] }))
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`listening on http://127.0.0.1:${address?.port}`)
})
onTerminate(() => {})
