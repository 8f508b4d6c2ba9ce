// The webhook receiver: records each request before it answers. Runs in a process of its own, so that neither kills nor
// load of the service change what it saw.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { serveCalls } from '../../bench/load/remote.ts'
import { listenOn } from '../../support/ports.ts'
import { type JsonLines, now, writeJsonLines } from '../records.ts'
import { RECEIVER } from './scene.ts'

export type ReceiverProcess = typeof functions

/** A line of receiver.jsonl. */
export type Delivered = { at: number; webhook_id: string; path: string; body: string; complete: boolean }

let lines: JsonLines<Delivered>

const functions = {
  /** Returns its port. */
  async open({ folder }: { folder: string }): Promise<number> {
    lines = writeJsonLines(join(folder, RECEIVER))
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      const record = (complete: boolean) =>
        lines.write({
          at: now(),
          webhook_id: String(request.headers['webhook-id']),
          path: request.url ?? '',
          body: Buffer.concat(chunks).toString(),
          complete,
        })
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('error', () => record(false))
      request.on('end', () => {
        record(true)
        response.writeHead(204).end()
      })
    })
    return listenOn(server)
  },

  close: (_: null) => lines.end(),
}

serveCalls(functions)
