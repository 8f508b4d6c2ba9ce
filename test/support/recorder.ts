// Stands for an instance behind a balancer: answers with its name, and keeps the path of each request.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { listenOn } from './ports.ts'

export async function startRecorder() {
  const name = randomUUID()
  const requests: string[] = []
  let held: ServerResponse[] | null = null
  const server = createServer(({ url = '' }, response) => {
    // Whether a request on a kept connection arrived is unknown if the connection breaks. Tests of retries need to know.
    response.setHeader('Connection', 'close')
    if (url === '/readyz' || url === '/healthz') {
      response.writeHead(recorder.ready ? 200 : 503).end()
      return
    }
    requests.push(url)
    if (held) held.push(response)
    else response.end(name)
  })
  const port = await listenOn(server)
  const recorder = {
    name,
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Whether health checks succeed. */
    ready: true,
    /** From now on, requests get no response until `release`. */
    hold(): void {
      held = []
    },
    held: (): number => held?.length ?? 0,
    release(): void {
      for (const response of held ?? []) response.end(name)
      held = null
    },
    /** Refuses connections until `start`. */
    async stop(): Promise<void> {
      server.close()
      await once(server, 'close')
    },
    async start(): Promise<void> {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
  return recorder
}
