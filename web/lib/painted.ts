/** A page in the background paints no frames, so waiting ends after this time. */
const NO_FRAME_MS = 1_000

/** Resolves after the next frame is on the screen. */
export function painted(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, NO_FRAME_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
