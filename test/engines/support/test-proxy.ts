// Stands between the browsers and a test server. It can cut the network, as a tunnel does, and it adds a script to every
// page, and to its policy, because WebDriver can't run one before the page's own. Both work alike in all engines.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenOn } from '../../support/ports.ts'

const FAULTS = '/test-faults'
/** An empty page of the same origin, without the app and its policy. */
export const EMPTY_PAGE = '/test-empty'

export type TestProxy = Awaited<ReturnType<typeof startTestProxy>>

export async function startTestProxy(server_url: string) {
  const { hostname, port: server_port } = new URL(server_url)
  const sockets = new Set<Socket>()
  const faults = new Set<string>()
  let online = true
  let holding: RegExp | null = null
  const held: { path: string; pass: () => void }[] = []
  let script = ''
  /** Raised when faults are taken: a page of the last test may still report some. */
  let round = 0

  const proxy = createServer((incoming, response) => {
    if (incoming.url === EMPTY_PAGE)
      return answer(response, 'text/html', '<!doctype html><body style="margin:0">')
    if (incoming.url?.startsWith(FAULTS)) {
      const counts = incoming.url === `${FAULTS}/${round}`
      incoming.on('data', part => counts && faults.add(String(part)))
      incoming.on('end', () => answer(response, 'text/plain', ''))
      return
    }
    const path = incoming.url ?? ''
    if (holding?.test(path)) held.push({ path, pass: () => pass(incoming, response) })
    else pass(incoming, response)
  })
  proxy.on('connection', socket => {
    if (!online) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const wantsPage = incoming.headers.accept?.includes('text/html') || incoming.url === '/index.html'
    const { 'if-none-match': known, ...headers } = incoming.headers
    // A page always comes whole and plain, so that the script can be added.
    const wanted = wantsPage
      ? { 'accept-encoding': 'identity' }
      : known !== undefined && { 'if-none-match': known }
    const options = { method: incoming.method, headers: { ...headers, ...wanted } }
    const passed = request(server_url + incoming.url, options, received => {
      const isPage = received.headers['content-type']?.startsWith('text/html')
      if (!isPage) {
        response.writeHead(received.statusCode ?? 502, received.headers)
        received.pipe(response)
        return
      }
      let html = ''
      received.setEncoding('utf8')
      received.on('data', part => (html += part))
      received.on('end', () => {
        const { 'content-length': _, ...sent } = received.headers
        // tsx wraps functions in calls of `__name`.
        const added = `globalThis.__name ??= run => run;${script};(${probe})('${FAULTS}/${round}')`
        const policy = String(sent['content-security-policy'] ?? '')
        sent['content-security-policy'] = policy.replace('script-src', `script-src ${hashOf(added)}`)
        response.writeHead(received.statusCode ?? 502, sent)
        response.end(html.replace('<head>', () => `<head><script>${added}</script>`))
      })
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }

  proxy.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const passed = connect(Number(server_port), hostname, () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      passed.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
      passed.write(head)
      passed.pipe(socket).pipe(passed)
    })
    passed.on('error', () => socket.destroy())
    passed.on('close', () => socket.destroy())
    socket.on('error', () => passed.destroy())
    socket.on('close', () => passed.destroy())
  })

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: `http://127.0.0.1:${await listenOn(proxy)}`,
    /** Runs before each page's own scripts, from the next page on. */
    setScript(run: (() => void) | null) {
      script = run ? `(${run})()` : ''
    },
    /** What pages reported since the last call, once each: errors, warnings, and what their policy blocked. */
    takeFaults() {
      const taken = [...faults]
      faults.clear()
      round++
      return taken
    },
    setOnline(is: boolean) {
      online = is
      if (!is) cut()
    },
    /** Keeps requests to these paths waiting, until `release`. */
    hold(paths: RegExp) {
      holding = paths
    },
    held: () => held.map(({ path }) => path),
    release() {
      holding = null
      for (const { pass } of held.splice(0)) pass()
    },
    async stop() {
      cut()
      await new Promise(resolve => proxy.close(resolve))
    },
  }
}

const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`

/** Runs in every page. Reports what the page says that it shouldn't. */
function probe(faults_url: string): void {
  const report = (fault: string) => navigator.sendBeacon(faults_url, `${location.pathname}: ${fault}`)
  for (const level of ['warn', 'error'] as const) {
    const log = console[level]
    console[level] = (...words: unknown[]) => {
      report(words.map(String).join(' '))
      log.apply(console, words)
    }
  }
  addEventListener('error', ({ message }) => {
    // Browsers report an observer that takes two frames in this way too.
    if (message && !message.startsWith('ResizeObserver loop')) report(message)
  })
  addEventListener('unhandledrejection', ({ reason }) => report(`unhandled: ${reason}`))
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    report(`against the policy (${effectiveDirective}): ${blockedURI}`),
  )
}

function answer(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  response.end(body)
}
