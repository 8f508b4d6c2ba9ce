// When there is time for what nobody sees yet.

/** Where no frame comes, because nobody looks at the page, it goes on after this long. */
const NO_FRAME_MS = 1_000

/** Resolves after the next frame is on the screen. */
export function painted(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, NO_FRAME_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
