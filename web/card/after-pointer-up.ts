// Waits until no mouse button or finger is down. A press on a button leaves the focused field; if the page moved at
// once, the button would slip away from under the pointer.

const ENDS = ['pointerup', 'pointercancel']
let isDown = false
document.addEventListener('pointerdown', () => (isDown = true), { capture: true })
for (const end of ENDS) document.addEventListener(end, () => (isDown = false), { capture: true })

export function afterPointerUp(work: () => void): void {
  if (!isDown) return work()
  const listening = new AbortController()
  const run = () => {
    listening.abort()
    setTimeout(work)
  }
  for (const end of ENDS) document.addEventListener(end, run, { signal: listening.signal })
}
