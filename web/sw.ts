// The service worker opens the app without a network. It caches the built files and never a response of the API.
// A new version serves pages once all its files are cached. Open pages keep using the files of their own version, so the
// cache also holds one older version.

export {}

/** build/precache-plugin.ts writes these: a hash over all files, the first script, viewers' files, the dashboard's files. */
declare const __VERSION__: string
declare const __ENTRY__: string
declare const __FILES__: string[]
declare const __REST__: string[]

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface InstallEvent extends WorkerEvent {
  /** Not every browser has it. */
  addRoutes?(rules: { condition: object; source: 'network' }): Promise<void>
}
interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith(response: Promise<Response>): void
}
declare const self: {
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void
  addEventListener(type: 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: WorkerEvent & MessageEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  location: Location
}

const PREFIX = 'channel-feed-'
const REST = '-rest'
const CACHE = PREFIX + __VERSION__
const INDEX = '/index.html'
const NEVER_CACHED = ['/api', '/sync', '/live', '/healthz', '/readyz', '/metrics']
/** These requests bypass the worker. As long as a worker gets requests, Chromium may keep the next version waiting, up to 5 minutes. */
const BYPASS = {
  condition: { or: NEVER_CACHED.map(path => ({ urlPattern: `${path}/*` })) },
  source: 'network' as const,
}

self.addEventListener('install', event => {
  // The worker also works without: it leaves these requests alone.
  event.addRoutes?.(BYPASS).catch(error => console.warn('Requests of the API reach the worker', error))
  event.waitUntil(cacheVersion().then(() => self.skipWaiting()))
})

self.addEventListener('activate', event => {
  event.waitUntil(deleteOlderVersions().then(() => self.clients.claim()))
})

self.addEventListener('message', event => {
  if (event.data === 'keep-rest') event.waitUntil(cacheRest())
})

self.addEventListener('fetch', event => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return
  if (NEVER_CACHED.some(path => url.pathname === path || url.pathname.startsWith(`${path}/`))) return
  if (event.request.mode === 'navigate') event.respondWith(ofThisVersion(INDEX, event.request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(ofAnyVersion(event.request))
  else if (__FILES__.includes(url.pathname)) event.respondWith(ofThisVersion(url.pathname, event.request))
})

async function cacheVersion(): Promise<void> {
  try {
    await cacheMissing(CACHE, __FILES__)
    // During a deployment, the page may come from one version and its scripts from another.
    const index = await (await caches.open(CACHE)).match(INDEX)
    if (!(await index?.text())?.includes(__ENTRY__)) throw new Error('The page belongs to another version')
  } catch (error) {
    await caches.delete(CACHE)
    throw error
  }
  const names = await caches.keys()
  if (names.some(name => name.startsWith(PREFIX) && name.endsWith(REST))) await cacheRest()
}

const cacheRest = () => cacheMissing(CACHE + REST, __REST__)

async function cacheMissing(name: string, paths: string[]): Promise<void> {
  const cache = await caches.open(name)
  const cached = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const missing = paths.filter(path => !cached.has(path))
  // A file whose name has a hash never changes, so the browser's own cache may provide it.
  const mode = (path: string) => (path.startsWith('/assets/') ? 'default' : 'reload')
  await cache.addAll(missing.map(path => new Request(path, { cache: mode(path) })))
}

/** Keeps the version before this one, because open pages may still run it. */
async function deleteOlderVersions(): Promise<void> {
  const names = (await caches.keys()).filter(name => name.startsWith(PREFIX))
  const versionOf = (name: string) => name.slice(PREFIX.length).replace(REST, '')
  const older = names.map(versionOf).filter(version => version !== __VERSION__)
  const unused = names.filter(name => ![__VERSION__, older.at(-1)].includes(versionOf(name)))
  await Promise.all(unused.map(name => caches.delete(name)))
}

async function ofThisVersion(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(path)) ?? fetch(request)
}

/** Files that owners rarely need are cached when they are first used. */
async function ofAnyVersion(request: Request): Promise<Response> {
  const cached = await caches.match(request)
  if (cached) return cached
  const response = await fetch(request)
  if (response.ok) await cacheOne(request, response.clone())
  return response
}

async function cacheOne(request: Request, response: Response): Promise<void> {
  try {
    await (await caches.open(CACHE + REST)).put(request, response)
  } catch (error) {
    console.warn('A part of the app will not open offline', error)
  }
}
