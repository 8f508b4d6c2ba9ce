// The service worker: opens the app without a network. It keeps the built files of a version and nothing else; what
// the API and the sync say is never kept here. A new version takes over as soon as it is whole, for the pages that are
// opened from then on; those that are open go on with the files of theirs, which are kept for one version more.

export {}

/** Filled in by the build: a hash over all files, the first script, what viewers need, and what only owners do. */
declare const __VERSION__: string
declare const __ENTRY__: string
declare const __FILES__: string[]
declare const __REST__: string[]

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith(response: Promise<Response>): void
}
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: WorkerEvent & MessageEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  location: Location
}
declare const self: Worker

const PREFIX = 'channel-feed-'
const REST = '-rest'
const CACHE = PREFIX + __VERSION__
const INDEX = '/index.html'
const NEVER = ['/api', '/sync', '/live', '/healthz', '/readyz', '/metrics']

self.addEventListener('install', event => {
  event.waitUntil(keepVersion().then(() => self.skipWaiting()))
})

self.addEventListener('activate', event => {
  event.waitUntil(dropOlderVersions().then(() => self.clients.claim()))
})

/** The dashboard was opened here: from now on it opens without a network. */
self.addEventListener('message', event => {
  if (event.data === 'keep-rest') event.waitUntil(keepRest())
})

self.addEventListener('fetch', event => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return
  if (NEVER.some(path => url.pathname === path || url.pathname.startsWith(`${path}/`))) return
  if (event.request.mode === 'navigate') event.respondWith(own(INDEX, event.request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(ofAnyVersion(event.request))
  else if (__FILES__.includes(url.pathname)) event.respondWith(own(url.pathname, event.request))
})

async function keepVersion(): Promise<void> {
  try {
    await keep(CACHE, __FILES__)
    // A server that is being replaced may give a page of one version and scripts of another.
    const index = await (await caches.open(CACHE)).match(INDEX)
    if (!(await index?.text())?.includes(__ENTRY__)) throw new Error('The page is of another version')
  } catch (error) {
    await caches.delete(CACHE)
    throw error
  }
  const names = await caches.keys()
  if (names.some(name => name.startsWith(PREFIX) && name.endsWith(REST))) await keepRest()
}

const keepRest = () => keep(CACHE + REST, __REST__)

async function keep(name: string, paths: string[]): Promise<void> {
  const cache = await caches.open(name)
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const missing = paths.filter(path => !kept.has(path))
  // Names with a hash never change, so the page's own download serves; the others are asked for anew.
  const fresh = (path: string) => (path.startsWith('/assets/') ? 'default' : 'reload')
  await cache.addAll(missing.map(path => new Request(path, { cache: fresh(path) })))
}

/** Of those before, pages that are open run the last one. */
async function dropOlderVersions(): Promise<void> {
  const names = (await caches.keys()).filter(name => name.startsWith(PREFIX))
  const versionOf = (name: string) => name.slice(PREFIX.length).replace(REST, '')
  const before = names.map(versionOf).filter(version => version !== __VERSION__)
  const dropped = names.filter(name => ![__VERSION__, before.at(-1)].includes(versionOf(name)))
  await Promise.all(dropped.map(name => caches.delete(name)))
}

async function own(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(path)) ?? fetch(request)
}

/** What is not kept yet is something that an owner uses now and then: kept from now on. */
async function ofAnyVersion(request: Request): Promise<Response> {
  const kept = await caches.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) await keepOne(request, response.clone())
  return response
}

/** Where the device is full it is not kept, and shown all the same. */
async function keepOne(request: Request, response: Response): Promise<void> {
  try {
    await (await caches.open(CACHE + REST)).put(request, response)
  } catch (error) {
    console.warn('Not kept for offline', error)
  }
}
