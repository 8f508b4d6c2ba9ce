// Clients that don't read their responses are disconnected, and take little memory until then.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  bytesSentWhileMoreWait,
  oneAtATime,
  StalledConnections,
} from '../../server/routes/stalled-connections.ts'
import { createChannel } from '../support/channels.ts'
import { listenOn } from '../support/ports.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'
import { openSocket, until } from '../support/viewer.ts'

/** More than the buffers of a connection hold. */
const MUCH = Buffer.alloc(24 * 1024 * 1024, 'x')
const MINUTE = 60_000
const ASK = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A client that sends a request and doesn't read until it is resumed. */
function ask(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(text)
  closing.push(() => socket.destroy())
  return socket
}

describe('a connection', () => {
  let server: Server
  let guard: StalledConnections
  let port: number
  const accepted: Socket[] = []
  /** The first connection, on the server's side. */
  const serverSide = (): Socket => {
    const [socket] = accepted
    if (!socket) throw new Error('nobody connected')
    return socket
  }
  const taken = () => bytesSentWhileMoreWait(serverSide())
  const stalls = () => until(() => accepted.length > 0 && taken() !== null, 'something waits')

  async function serve(listener: RequestListener): Promise<void> {
    server = createServer(listener)
    guard = new StalledConnections(server, () => 0)
    accepted.length = 0
    server.on('connection', (socket: Socket) => accepted.push(socket))
    port = await listenOn(server)
    closing.push(() => {
      guard.stop()
      server.close()
      server.closeAllConnections()
    })
  }

  test.each([
    ['bytes', MUCH],
    ['text', MUCH.toString()],
  ])('a connection that reads nothing of a long response (%s) for a minute is closed', async (_, body) => {
    await serve((_, response) => response.end(body))
    ask(port, ASK)
    await stalls()
    guard.check(0)
    guard.check(MINUTE)
    expect(serverSide().destroyed).toBe(false)
    guard.check(MINUTE + 1)
    expect(serverSide().destroyed).toBe(true)
  })

  test('a connection that sends more requests instead of reading is closed, too', async () => {
    await serve((_, response) => response.end(MUCH))
    const client = ask(port, ASK)
    await stalls()
    guard.check(0)
    const heard = serverSide().bytesRead
    client.write(ASK)
    await until(() => serverSide().bytesRead > heard, 'the server hears it')
    guard.check(MINUTE + 1)
    expect(serverSide().destroyed).toBe(true)
  })

  test('a connection that reads a little each minute gets everything', async () => {
    await serve((_, response) => response.end(MUCH))
    const client = ask(port, ASK)
    let got = 0
    client.on('data', chunk => {
      got += chunk.length
    })
    client.pause()
    await stalls()
    let now = 0
    for (let before = taken(); before !== null; before = taken()) {
      guard.check(now)
      client.resume()
      await until(() => taken() === null || (taken() ?? 0) >= (before ?? 0) + 100_000, 'a little is taken')
      client.pause()
      now += MINUTE
    }
    expect(now).toBeGreaterThanOrEqual(2 * MINUTE)
    client.resume()
    await until(() => got > MUCH.length, 'all of it')
    expect(serverSide().destroyed).toBe(false)
  })

  test('a connection that waits for a response, or for more of it, may be idle for hours', async () => {
    await serve((request, response) => {
      if (request.url === '/stream') response.write(': connected\n\n')
    })
    ask(port, ASK)
    ask(port, ASK.replace('/', '/stream'))
    await until(() => accepted.length === 2 && accepted.every(({ bytesRead }) => bytesRead > 0), 'asked')
    await until(() => accepted.some(({ bytesWritten }) => bytesWritten > 0), 'the stream has begun')
    for (const hours of [0, 1, 2]) guard.check(hours * 60 * MINUTE)
    expect(accepted.map(({ destroyed }) => destroyed)).toEqual([false, false])
  })

  test('a connection with pipelined requests has them handled one after another', async () => {
    let handled = 0
    await serve(
      oneAtATime((request, response) => {
        handled++
        response.end(request.url === '/1' ? MUCH : request.url)
      }),
    )
    const paths = Array.from({ length: 100 }, (_, i) => `/${i + 1}`)
    const client = ask(port, paths.map(path => ASK.replace('/', path)).join(''))
    await stalls()
    expect(handled).toBe(1)
    let end = ''
    client.on('data', chunk => {
      end = (end + chunk.toString('latin1')).slice(-200)
    })
    client.resume()
    await until(() => end.endsWith('/100'), 'the last answer')
    expect(handled).toBe(100)
  })
})

describe('the document', async () => {
  let ahead = 0
  const { service, ann } = await runWithOwner({}, { elapsed: () => performance.now() + ahead })
  const channel_id = await createChannel(ann)
  const push = (blocks: object[]) => ann.key('POST', `/channels/${channel_id}/cards`, { blocks })
  // Words that gzip cannot shorten much.
  const word = () => Buffer.from(crypto.getRandomValues(new Uint8Array(7_000))).toString('base64')
  const card = () => Array.from({ length: 20 }, () => ({ type: 'text', content: word() }))
  // One page of cards: larger documents keep only the newest page.
  for (let i = 0; i < 8; i++) await times(8, () => push(card()))

  const path = () => `/api/channels/${channel_id}/document`
  const look = (headers: Record<string, string> = {}) =>
    fetch(service.url + path(), {
      headers: { Cookie: ann.cookie, 'Accept-Encoding': 'identity', ...headers },
    })

  const document = Buffer.from(await (await look()).arrayBuffer())

  const askFor = (encoding: string) =>
    ask(
      Number(new URL(service.url).port),
      `GET ${path()} HTTP/1.1\r\nHost: localhost\r\nCookie: ${ann.cookie}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
    )

  test.each(['identity', 'gzip'])(
    "the document is in memory once for all clients that don't read it (%s)",
    async encoding => {
      await (await look({ 'Accept-Encoding': encoding })).arrayBuffer()
      expect(document.length).toBeGreaterThan(10_000_000)
      const before = process.memoryUsage().arrayBuffers
      const clients = Array.from({ length: 20 }, () => askFor(encoding))
      const begun = clients.map(client => once(client, 'readable'))
      await Promise.all(begun)
      // Each client has received the beginning: a copy for each would be 20 documents.
      const grown = process.memoryUsage().arrayBuffers - before
      expect(grown).toBeLessThan(6 * document.length)
    },
  )

  test('the document and the first cards are encoded once, until the channel changes', async () => {
    const { feeds } = service
    const audience = feeds.audience(channel_id)
    const [one, two] = await Promise.all([audience.document(), audience.document()])
    // Not `toBe`, which compares megabytes to explain a difference.
    expect(two === one).toBe(true)
    const [first, second] = await Promise.all([audience.firstCards(), audience.firstCards()])
    expect(second === first).toBe(true)
    for (const copy of [one.copy, first]) {
      const [zipped, again] = await Promise.all([copy.gzipped(), copy.gzipped()])
      expect(again === zipped).toBe(true)
      expect((await copy.gzipped()) === zipped).toBe(true)
    }
    await push([{ type: 'text', content: 'Newest' }])
    const newest = await audience.firstCards()
    expect(newest.plain.includes('Newest')).toBe(true)
    expect(first.plain.includes('Newest')).toBe(false)
  })

  test('the document is evicted even if a client leaves it unread', async () => {
    const client = askFor('identity')
    await once(client, 'readable')
    // The first check finds the document unread, and a later check closes the connection. Each round takes up to a second.
    for (let i = 0; i < 8; i++) {
      ahead += 2 * MINUTE
      await (await openSocket(service.url, `/sync/${channel_id}?token=${ann.api_key}`)).closed
    }
    let got = 0
    client.on('data', chunk => {
      got += chunk.length
    })
    client.resume()
    await once(client, 'close')
    expect(got).toBeLessThan(document.length)
  })
})
