// Waits until a mouse button or finger is up again. Leaving a field is the start of a click elsewhere: what moved the
// page then would move that button away from under it.

let pressed = false
document.addEventListener('pointerdown', () => (pressed = true), { capture: true })
for (const end of ['pointerup', 'pointercancel'])
  document.addEventListener(end, () => (pressed = false), { capture: true })

/** At once where nothing is pressed; else after the click that is under way. */
export function afterPress(work: () => void): void {
  if (!pressed) return work()
  const listening = new AbortController()
  const go = () => {
    listening.abort()
    setTimeout(work)
  }
  for (const end of ['pointerup', 'pointercancel'])
    document.addEventListener(end, go, { signal: listening.signal })
}
