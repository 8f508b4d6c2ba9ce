// Requests that wait for an answer, each on a connection of its own, in a process of its own.
import { now } from '../card.ts'
import { httpRequest, openHttp } from './http.ts'
import { serveCalls } from './remote.ts'

export type Waiting = typeof functions
type Request = { path: string; headers: Record<string, string> }

/** How many connections are opened at once. */
const BURST = 1_000

/** When the answers came (see `now`), by path. */
const answered = new Map<string, number>()
let failed = 0

const functions = {
  async open({ port, requests }: { port: number; requests: Request[] }): Promise<void> {
    for (let from = 0; from < requests.length; from += BURST)
      await Promise.all(requests.slice(from, from + BURST).map(request => open(port, request)))
  },

  /** `failed`: connections that could not be opened or that were closed, and other statuses than 200. */
  answers: (_: null) => ({ failed, answered }),
}

async function open(port: number, { path, headers }: Request): Promise<void> {
  try {
    const connection = await openHttp(port)
    connection.send(httpRequest('GET', path, headers, '')).then(
      ({ status }) => {
        if (status === 200) answered.set(path, now())
        else failed++
      },
      () => failed++,
    )
  } catch {
    failed++
  }
}

serveCalls(functions)
