// When there is time for what nobody sees yet.

/** Where no frame comes, because the page is not looked at, it goes on after this long. */
const NO_FRAME_MS = 200

/** Resolves after the next frame is on the screen. */
export function painted(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, NO_FRAME_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
