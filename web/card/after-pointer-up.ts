// Waits until no mouse button or finger is down. A press elsewhere leaves the focused field; if the page moved then,
// the pressed button would slip away from under the pointer.

let isDown = false
document.addEventListener('pointerdown', () => (isDown = true), { capture: true })
for (const end of ['pointerup', 'pointercancel'])
  document.addEventListener(end, () => (isDown = false), { capture: true })

/** Runs `work` at once, or after the click in progress. */
export function afterPointerUp(work: () => void): void {
  if (!isDown) return work()
  const listening = new AbortController()
  const run = () => {
    listening.abort()
    setTimeout(work)
  }
  for (const end of ['pointerup', 'pointercancel'])
    document.addEventListener(end, run, { signal: listening.signal })
}
