// A page in a frame: a frame has any width, even where a window can't be narrow.
import type { EngineWindow } from './engine-window.ts'
import { EMPTY_PAGE } from './test-proxy.ts'

/** Opens a page in a frame of 1,100 px and waits until it is complete. */
export async function openInFrame(page: EngineWindow, path: string): Promise<void> {
  await page.goto(EMPTY_PAGE)
  await page.js(path => {
    const frame = document.createElement('iframe')
    Object.assign(frame, { src: path, width: 1100, height: 780 })
    frame.style.border = '0'
    document.body.append(frame)
  }, path)
  await page.becomes(true, () => {
    const { contentDocument } = document.querySelector('iframe') ?? {}
    const busy = contentDocument?.querySelector('[aria-busy=true], .skeleton')
    return !busy && !!contentDocument?.querySelector('#app:not([inert]) :is(h1, h2)')
  })
}
