// Puts an item of a list elsewhere: dragged by its grip with a mouse, a pen or a finger, or with the arrow keys.
import { createSignal } from 'solid-js'

/** `from`: the item that is held. `to`: where it would stand. */
export type Hold = { from: number; to: number; offset: number }

/** So near to the edge of the window the page scrolls, by so much a frame. */
const EDGE_PX = 56
const SCROLL_PX = 9

/** `items`: the elements of the list, in order. */
export function createReorder(items: () => HTMLElement[], move: (from: number, to: number) => void) {
  const [hold, setHold] = createSignal<Hold>()

  function onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }, from: number): void {
    if (event.button !== 0) return
    const grip = event.currentTarget
    const start = { y: event.clientY, scroll: scrollY }
    let y = event.clientY
    // As they stood when the drag began: they give way while it lasts.
    const middles = items().map(item => {
      const { top, height } = item.getBoundingClientRect()
      return top + height / 2
    })
    const held = middles[from] ?? start.y
    const listening = new AbortController()
    const { signal } = listening
    grip.setPointerCapture(event.pointerId)

    /** On the page, which may be scrolled meanwhile. */
    const look = () => {
      const offset = y - start.y + scrollY - start.scroll
      if (!hold() && Math.abs(offset) < 4) return
      const middle = held + offset
      const above = middles.filter((one, i) => i !== from && one < middle).length
      setHold({ from, to: above, offset })
    }
    const drag = (move: PointerEvent) => {
      y = move.clientY
      look()
    }
    const goAlong = () => {
      const down = y > start.y && y > innerHeight - EDGE_PX
      const up = y < start.y && y < EDGE_PX
      if (down || up) scrollBy(0, down ? SCROLL_PX : -SCROLL_PX)
      frame = requestAnimationFrame(goAlong)
    }
    let frame = requestAnimationFrame(goAlong)
    signal.addEventListener('abort', () => cancelAnimationFrame(frame))
    const drop = () => {
      listening.abort()
      const now = hold()
      setHold(undefined)
      if (now && now.to !== now.from) move(now.from, now.to)
    }
    const cancel = () => {
      listening.abort()
      setHold(undefined)
    }
    grip.addEventListener('pointermove', drag, { signal })
    grip.addEventListener('pointerup', drop, { signal })
    grip.addEventListener('pointercancel', cancel, { signal })
    grip.addEventListener('lostpointercapture', cancel, { signal })
    document.addEventListener('scroll', look, { signal })
    document.addEventListener('keydown', key => key.key === 'Escape' && cancel(), { signal })
  }

  /** The focus stays on the grip, which moves with its item. */
  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLElement }, from: number): void {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by === 0) return
    event.preventDefault()
    const grip = event.currentTarget
    move(from, from + by)
    grip.focus()
  }

  return { hold, onPointerDown, onKeyDown }
}
