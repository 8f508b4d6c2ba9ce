// The service worker as a page sees it: starts it, asks now and then for a newer version, and knows when one is ready.
// A page never mixes versions: what it loads later is of its own version, or it is loaded anew.
import { createRoot, createSignal } from 'solid-js'

const LOOK_MS = 3_600_000
const IDLE_WITHIN_MS = 2_000
/** The address that was loaded anew because a part of it was missing: once, not for ever. */
const RELOADED = 'reloaded'

const [newVersion, setNewVersion] = createRoot(() => createSignal(false))

/** A newer version is whole on this device, and is what opens next. */
export { newVersion }

let wanted = false

export function startWorker(): void {
  window.addEventListener('vite:preloadError', onMissingPart)
  if (!('serviceWorker' in navigator)) return
  const worker = navigator.serviceWorker
  let known = worker.controller !== null
  worker.addEventListener('controllerchange', () => {
    // The first one takes over the page that started it: nothing is newer than that.
    if (known) setNewVersion(true)
    known = true
    if (wanted) location.reload()
  })
  whenIdle(() => {
    worker.register('/sw.js').catch(error => {
      console.warn('The app will not open without a network', error)
    })
  })
  setInterval(look, LOOK_MS)
  document.addEventListener('visibilitychange', look)
}

/** What it fetches for the next visit must not take the line from what this one waits for. Safari has no idle time. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_WITHIN_MS })
  else setTimeout(work, IDLE_WITHIN_MS)
}

/** The dashboard was opened: its parts are kept as well from now on. */
export async function keepDashboard(): Promise<void> {
  const registration = await navigator.serviceWorker?.ready
  registration?.active?.postMessage('keep-rest')
}

let missing: unknown

/** Whether a page failed because a part of the app is not on this device, and could not be loaded. */
export const isMissingPart = (error: unknown) => error !== undefined && error === missing

let looked = Date.now()

function look(): void {
  if (document.visibilityState !== 'visible' || Date.now() - looked < LOOK_MS) return
  looked = Date.now()
  update()
}

async function update(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.update().catch(() => undefined)
}

/** A part of this version is neither here nor on the server any more: the newest version has it. */
function onMissingPart(event: VitePreloadErrorEvent): void {
  missing = event.payload
  if (!navigator.onLine) return
  if (newVersion() || !navigator.serviceWorker?.controller) return reloadOnce()
  wanted = true
  update()
}

function reloadOnce(): void {
  if (sessionStorage.getItem(RELOADED) === location.href) return
  sessionStorage.setItem(RELOADED, location.href)
  location.reload()
}
