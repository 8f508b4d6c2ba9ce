// Whether the page is being left. The browser may keep it and show it again, with all its memory, on the way back. What a
// page holds meanwhile, such as a transaction or a lock, blocks the pages after it.

/** Replaced when the page returns. */
let leaving = new AbortController()
let shown = Promise.resolve()
let onReturn = () => {}

// Before every other listener. Unit tests have no window.
globalThis.addEventListener?.('pagehide', () => {
  shown = new Promise(resolve => {
    onReturn = resolve
  })
  leaving.abort()
})
globalThis.addEventListener?.('pageshow', ({ persisted }) => {
  if (!persisted) return
  leaving = new AbortController()
  onReturn()
})

/** If no other page has appeared by then, none will: the link was a download, or people stopped it. */
const DEPARTURE_MS = 30_000
let departedAt = Number.NEGATIVE_INFINITY
globalThis.addEventListener?.('beforeunload', () => {
  departedAt = Date.now()
})

/** Another page has been asked for. Firefox then ends what this page is loading, although it stays until the other one comes. */
export const mayBeLeaving = () => isLeaving() || Date.now() - departedAt < DEPARTURE_MS

/** Aborts when the page is left. Ask for it again after `pageShown`. */
export const leavingSignal = () => leaving.signal

export const isLeaving = () => leaving.signal.aborted

/** Resolves at once, or when the page that was left is shown again. */
export const pageShown = () => shown
