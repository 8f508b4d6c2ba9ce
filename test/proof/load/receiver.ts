// The webhook receiver: records each request before it answers. Runs in a process of its own, so that neither kills nor
// load of the service change what it saw.
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { serveCalls } from '../../bench/load/remote.ts'
import { listenOn } from '../../support/ports.ts'
import type { ReceiverTrouble } from '../faults.ts'
import { type JsonLines, now, writeJsonLines } from '../records.ts'
import { type Slowness, watchMachine } from './machine.ts'
import { MACHINE, RECEIVER } from './scene.ts'

export type ReceiverProcess = typeof functions

/** A line of receiver.jsonl. */
export type Delivered = {
  at: number
  webhook_id: string
  path: string
  /** Those of a request that came twice are joined. */
  headers?: Record<string, string | string[] | undefined>
  body: string
  complete: boolean
}

let lines: JsonLines<Delivered>
let stopWatching = async () => {}
let behaviour: Behaviour = 'answer'
/** How many requests the behaviour met. */
let met = 0

type Behaviour = 'answer' | ReceiverTrouble
const SLOW_BYTE_MS = 1_000

const functions = {
  /** Returns its port. */
  async open({ folder }: { folder: string }): Promise<number> {
    lines = writeJsonLines(join(folder, RECEIVER))
    stopWatching = watchMachine(writeJsonLines<Slowness>(join(folder, MACHINE)))
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      const record = (complete: boolean) =>
        lines.write({
          at: now(),
          webhook_id: String(request.headers['webhook-id']),
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
          complete,
        })
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('error', () => record(false))
      request.on('end', () => {
        record(true)
        met++
        respond(response)
      })
    })
    return listenOn(server)
  },

  /** From now on. Returns how many requests the behaviour so far met. */
  behave(next: Behaviour): number {
    const before = met
    behaviour = next
    met = 0
    return before
  },

  close: (_: null) => Promise.all([lines.end(), stopWatching()]),
}

function respond(response: ServerResponse): void {
  switch (behaviour) {
    case 'answer':
      response.writeHead(204).end()
      return
    case 'hang':
      // The sender gives up.
      return
    case 'dead body':
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('{')
      return
    case 'redirect':
      // Whoever follows it sends the delivery twice.
      response.writeHead(307, { Location: '/elsewhere' }).end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'slow':
      return void answerSlowly(response)
  }
}

function answerSlowly(response: ServerResponse): void {
  const { socket } = response
  const bytes = [...'HTTP/1.1 204 No Content\r\n\r\n']
  const writing = setInterval(() => {
    const byte = bytes.shift()
    if (byte === undefined || !socket?.writable) clearInterval(writing)
    else socket.write(byte)
  }, SLOW_BYTE_MS)
}

serveCalls(functions)
