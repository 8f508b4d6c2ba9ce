// Starts the service worker, and checks for new versions of the app every hour. A page never mixes versions: if a part of
// its version can't be loaded, the whole page reloads.
import { createRoot, createSignal } from 'solid-js'
import { mayBeLeaving } from '../lib/page-life.ts'
import { serviceWorkers, workerRegistration } from '../lib/service-worker.ts'
import { tabStorage } from '../lib/text-storage.ts'

const CHECK_MS = 3_600_000
const IDLE_WITHIN_MS = 2_000
/** Stores the address that was reloaded because a part was missing, so that it isn't reloaded twice. */
const RELOADED = 'reloaded'

const [newVersion, setNewVersion] = createRoot(() => createSignal(false))

/** A newer version is complete on this device. The next visit uses it. */
export { newVersion }

let reloadWhenReady = false

export function startWorker(): void {
  window.addEventListener('vite:preloadError', onMissingPart)
  const worker = serviceWorkers()
  if (!worker) return
  let known = worker.controller !== null
  worker.addEventListener('controllerchange', () => {
    if (known) setNewVersion(true)
    known = true
    if (reloadWhenReady) location.reload()
  })
  whenIdle(() => {
    worker.register('/sw.js').catch(error => {
      console.warn('The app will not open offline', error)
    })
  })
  setInterval(check, CHECK_MS)
  document.addEventListener('visibilitychange', check)
}

/** Files for the next visit must not delay those of this one. Safari lacks `requestIdleCallback`. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_WITHIN_MS })
  else setTimeout(work, IDLE_WITHIN_MS)
}

export async function cacheDashboard(): Promise<void> {
  // A browser that refuses the worker is never ready.
  const registration = await serviceWorkers()?.ready
  registration?.active?.postMessage('keep-rest')
}

let missingPart: unknown

export const isMissingPart = (error: unknown) => error !== undefined && error === missingPart

let checkedAt = Date.now()

function check(): void {
  if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_MS) return
  checkedAt = Date.now()
  update()
}

async function update(): Promise<void> {
  const registration = await workerRegistration()
  await registration?.update().catch(() => undefined)
}

/** The server has only the parts of its newest version, so this page needs that version. */
async function onMissingPart(event: VitePreloadErrorEvent): Promise<void> {
  missingPart = event.payload
  // A reload would take the place of the page that was asked for.
  if (mayBeLeaving()) return
  // Without the server, a reload would replace the page by the browser's error.
  if (!navigator.onLine || !(await isServerThere())) return
  if (newVersion() || !serviceWorkers()?.controller) return reloadOnce()
  reloadWhenReady = true
  update()
}

/** The service worker passes this request on. */
const isServerThere = () =>
  fetch('/sw.js', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

function reloadOnce(): void {
  if (tabStorage.read(RELOADED) === location.href) return
  tabStorage.write(RELOADED, location.href)
  // Without the tab's storage it would reload for ever.
  if (tabStorage.read(RELOADED) === location.href) location.reload()
}
