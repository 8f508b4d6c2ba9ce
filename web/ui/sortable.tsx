// Puts the rows of a list in another order: dragged by their handles with a mouse, a pen or a finger, or moved by the
// keys of the handle. Nothing moves in the document before a row is let go, so that the pointer stays with it.
import { type Accessor, createSignal, type JSX, onCleanup } from 'solid-js'

type Drag = {
  id: string
  from: number
  to: number
  /** How far the pointer has gone, on the page. */
  by: number
  height: number
}

export type Sortable = {
  /** What the handle of a row takes. */
  handle: (id: string) => {
    onPointerDown: (event: PointerEvent) => void
    onKeyDown: (event: KeyboardEvent) => void
  }
  move: (id: string, to: number) => void
  /** Where a row stands while one is dragged. */
  rowStyle: (id: string) => JSX.CSSProperties
  isDragged: (id: string) => boolean
  /** For a live region. */
  said: Accessor<string>
}

export type SortableOptions = {
  ids: Accessor<string[]>
  nameOf: (id: string) => string
  list: () => HTMLElement | undefined
  onOrder: (ids: string[]) => void
}

/** So near to the edge of the window the page scrolls, by so much a frame. */
const EDGE_PX = 56
const SCROLL_PX = 9

export function createSortable({ ids, nameOf, list, onOrder }: SortableOptions): Sortable {
  const [drag, setDrag] = createSignal<Drag>()
  const [said, setSaid] = createSignal('')
  let stop: (() => void) | undefined
  onCleanup(() => stop?.())

  function move(id: string, to: number): void {
    const order = ids()
    const from = order.indexOf(id)
    const place = Math.max(0, Math.min(order.length - 1, to))
    if (from < 0 || place === from) return
    const focused = document.activeElement
    onOrder(order.toSpliced(from, 1).toSpliced(place, 0, id))
    setSaid(`${nameOf(id)}: ${place + 1} of ${order.length}`)
    // A row that moves in the document loses the focus.
    if (focused instanceof HTMLElement) queueMicrotask(() => focused.focus())
  }

  function onKeyDown(id: string, event: KeyboardEvent): void {
    const at = ids().indexOf(id)
    const places: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: ids().length - 1,
    }
    const to = places[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(id, to)
  }

  function onPointerDown(id: string, event: PointerEvent): void {
    const handle = event.currentTarget
    const rows = [...(list()?.children ?? [])].map(row => row.getBoundingClientRect())
    const from = ids().indexOf(id)
    const own = rows[from]
    if (event.button !== 0 || stop || !own || !(handle instanceof HTMLElement)) return
    event.preventDefault()
    handle.focus()
    handle.setPointerCapture(event.pointerId)
    const middles = rows.map(row => row.top + row.height / 2)
    const scroller = document.scrollingElement
    const start = { y: event.clientY, scroll: scroller?.scrollTop ?? 0 }
    let y = event.clientY

    function look(): void {
      const by = y - start.y + (scroller?.scrollTop ?? 0) - start.scroll
      setDrag({ id, from, to: placeOf(middles, from, by), by, height: own?.height ?? 0 })
    }
    function scroll(): void {
      // Only where the pointer went: a row near the edge can be taken in peace.
      const down = y > start.y && y > window.innerHeight - EDGE_PX
      const up = y < start.y && y < EDGE_PX
      if (down || up) {
        scroller?.scrollBy(0, down ? SCROLL_PX : -SCROLL_PX)
        look()
      }
      frame = requestAnimationFrame(scroll)
    }
    let frame = requestAnimationFrame(scroll)
    const ending = new AbortController()
    stop = () => {
      ending.abort()
      cancelAnimationFrame(frame)
      stop = undefined
      setDrag(undefined)
    }
    const { signal } = ending
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => handle.addEventListener(name, listener, { signal })
    on('pointermove', event => {
      y = event.clientY
      look()
    })
    on('pointerup', () => {
      const to = drag()?.to
      stop?.()
      if (to !== undefined) move(id, to)
    })
    on('pointercancel', () => stop?.())
    on('lostpointercapture', () => stop?.())
    on('keydown', event => {
      if (event.key === 'Escape') stop?.()
    })
  }

  function rowStyle(id: string): JSX.CSSProperties {
    const now = drag()
    if (!now) return {}
    if (now.id === id) return { transform: `translateY(${now.by}px)` }
    const at = ids().indexOf(id)
    const down = now.from < now.to && at > now.from && at <= now.to
    const up = now.from > now.to && at < now.from && at >= now.to
    return { transform: `translateY(${down ? -now.height : up ? now.height : 0}px)` }
  }

  return {
    handle: id => ({
      onPointerDown: event => onPointerDown(id, event),
      onKeyDown: event => onKeyDown(id, event),
    }),
    move,
    rowStyle,
    isDragged: id => drag()?.id === id,
    said,
  }
}

/** Where a row goes that is dragged from its place by so much: past every row whose middle it has crossed. */
export function placeOf(middles: number[], from: number, by: number): number {
  const at = (middles[from] ?? 0) + by
  const above = middles.filter((middle, i) => i < from && middle < at).length
  const below = middles.filter((middle, i) => i > from && middle < at).length
  return above + below
}
