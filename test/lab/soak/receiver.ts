// The webhook receivers of a soak. Most answer; those of the quiet channels do all that receivers do wrong. Runs in a
// process of its own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { serveCalls } from '../../bench/load/remote.ts'
import { listenOn } from '../../support/ports.ts'

export type SoakReceiver = typeof functions

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

const answer: Behaviour = (_, response) => response.writeHead(204).end()
const BEHAVIOURS: Record<string, Behaviour> = {
  answer,
  refuse: (_, response) => response.writeHead(500).end('no'),
  redirect: (_, response) => response.writeHead(302, { location: '/answer' }).end(),
  hang: () => {},
  'dead-body': (_, response) => response.writeHead(200, { 'content-length': '10' }).flushHeaders(),
  reset: request => request.socket.resetAndDestroy(),
  slow(_, response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 1_000)
    response.on('close', () => clearInterval(timer))
  },
}
const FAULTY = Object.keys(BEHAVIOURS).filter(name => name !== 'answer')

/** The path for the n-th channel. Half of the channels have a faulty receiver; it delays only its own channel. */
export const receiverPath = (channel: number, channels: number): string =>
  channel < channels / 2 ? 'answer' : (FAULTY[channel % FAULTY.length] ?? 'answer')

const functions = {
  /** Returns its port. */
  open(_: null): Promise<number> {
    const server = createServer((request, response) => {
      const behave = BEHAVIOURS[(request.url ?? '').slice(1)] ?? answer
      request.on('error', () => {})
      request.on('data', () => {})
      request.on('end', () => behave(request, response))
    })
    return listenOn(server)
  },
}

serveCalls(functions)
