// A text area is as high as its text. Where the style can't do that, before Safari 26.2 for example, this does.
import { createEffect, on, onCleanup } from 'solid-js'

/** `text`: what the area shows. It is read because nothing tells of a change that a script made. */
export function growWith(area: HTMLTextAreaElement, text: () => unknown): void {
  if (CSS.supports('field-sizing', 'content')) return
  let height = ''
  let width = 0

  function resize(): void {
    // A person has dragged its corner.
    if (area.style.height !== height) return
    // Keeps the room, because a page that becomes shorter may scroll.
    area.style.marginBlockEnd = `${area.offsetHeight}px`
    area.style.height = '0'
    height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`
    area.style.height = height
    area.style.marginBlockEnd = ''
  }

  createEffect(on(text, resize))
  area.addEventListener('input', resize)
  // Some areas take a new value once the person has left them.
  area.addEventListener('blur', resize)
  const observer = new ResizeObserver(() => {
    if (area.clientWidth !== width) resize()
    width = area.clientWidth
  })
  observer.observe(area)
  onCleanup(() => observer.disconnect())
}
