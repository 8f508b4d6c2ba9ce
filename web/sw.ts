// The service worker: opens the app without a network. It keeps the built files of one version and nothing else;
// what the API and the sync say is never kept here.

export {}

/** Both are filled in by the build: every file of this version, and a hash over them. */
declare const __PRECACHE__: string[]
declare const __VERSION__: string

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
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  location: Location
}
declare const self: Worker

const CACHE = `channel-feed-${__VERSION__}`
const INDEX = '/index.html'
const NEVER = ['/api', '/sync', '/live', '/healthz', '/readyz', '/metrics']

self.addEventListener('install', event => {
  event.waitUntil(keepVersion().then(() => self.skipWaiting()))
})

self.addEventListener('activate', event => {
  event.waitUntil(dropOtherVersions().then(() => self.clients.claim()))
})

self.addEventListener('fetch', event => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return
  if (NEVER.some(path => url.pathname === path || url.pathname.startsWith(`${path}/`))) return
  if (event.request.mode === 'navigate') event.respondWith(fromCache(INDEX, event.request))
  else if (__PRECACHE__.includes(url.pathname)) event.respondWith(fromCache(url.pathname, event.request))
})

async function keepVersion(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll(__PRECACHE__.map(path => new Request(path, { cache: 'reload' })))
}

async function dropOtherVersions(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter(name => name !== CACHE).map(name => caches.delete(name)))
}

async function fromCache(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(path)) ?? fetch(request)
}
