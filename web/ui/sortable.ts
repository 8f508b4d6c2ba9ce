// A list that people sort by dragging the handle of a row, or with the keys while it has the focus. The document changes
// only after the drop, so that the pointer stays with the dragged row.
import { type Accessor, createSignal, type JSX, onCleanup } from 'solid-js'
import { onKey } from '../lib/on-key.ts'

/** `by`: the pixels that the pointer has moved on the page. */
type Drag<Id> = { id: Id; from: number; to: number; by: number; height: number }

export type Sortable<Id = string> = ReturnType<typeof createSortable<Id>>

/** Within this distance of the window's edge, the page scrolls by SCROLL_PX a frame. */
const EDGE_PX = 56
const SCROLL_PX = 9

export function createSortable<Id = string>(options: {
  ids: Accessor<readonly Id[]>
  nameOf: (id: Id) => string
  list: () => HTMLElement | undefined
  onOrder: (ids: Id[]) => void
}) {
  const { ids, nameOf, list, onOrder } = options
  const [drag, setDrag] = createSignal<Drag<Id>>()
  const [announced, setAnnounced] = createSignal('')
  let stop: (() => void) | undefined
  onCleanup(() => stop?.())

  function move(id: Id, to: number): void {
    const order = ids()
    const from = order.indexOf(id)
    const index = Math.max(0, Math.min(order.length - 1, to))
    if (from < 0 || index === from) return
    const focused = document.activeElement
    setAnnounced(`${nameOf(id)}: ${index + 1} of ${order.length}`)
    onOrder(order.toSpliced(from, 1).toSpliced(index, 0, id))
    // A row that moves in the document loses the focus.
    if (focused instanceof HTMLElement) queueMicrotask(() => focused.focus())
  }

  function onKeyDown(id: Id, event: KeyboardEvent): void {
    const at = ids().indexOf(id)
    const targets: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: ids().length - 1,
    }
    const to = targets[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(id, to)
  }

  function onPointerDown(id: Id, event: PointerEvent): void {
    const handle = event.currentTarget
    const rows = [...(list()?.children ?? [])].map(row => row.getBoundingClientRect())
    const from = ids().indexOf(id)
    const height = rows[from]?.height
    if (event.button !== 0 || stop || height === undefined || !(handle instanceof HTMLElement)) return
    event.preventDefault()
    handle.focus()
    handle.setPointerCapture(event.pointerId)
    const middles = rows.map(row => row.top + row.height / 2)
    stop = followPointer(handle, event.clientY, {
      onMove: by => setDrag({ id, from, to: dropIndex(middles, from, by), by, height }),
      onEnd: dropped => {
        const to = drag()?.to
        stop = undefined
        setDrag(undefined)
        if (dropped && to !== undefined) move(id, to)
      },
    })
  }

  function rowStyle(id: Id): JSX.CSSProperties {
    const now = drag()
    if (!now) return {}
    if (now.id === id) return { transform: `translateY(${now.by}px)` }
    const at = ids().indexOf(id)
    const up = now.from < at && at <= now.to
    const down = now.to <= at && at < now.from
    return { transform: `translateY(${up ? -now.height : down ? now.height : 0}px)` }
  }

  return {
    handle: (id: Id) => ({
      onPointerDown: (event: PointerEvent) => onPointerDown(id, event),
      onKeyDown: onKey(event => onKeyDown(id, event)),
    }),
    move,
    rowStyle,
    isDragged: (id: Id) => drag()?.id === id,
    announced,
  }
}

/** The new index of a row dragged by `by` pixels. It passes each row whose middle its own middle has crossed. */
export function dropIndex(middles: number[], from: number, by: number): number {
  const middle = (middles[from] ?? 0) + by
  return middles.filter((other, i) => i !== from && other < middle).length
}

/** Reports how far the pointer moves on the page, which may scroll meanwhile. Returns a function that cancels. */
function followPointer(
  handle: HTMLElement,
  startY: number,
  { onMove, onEnd }: { onMove: (by: number) => void; onEnd: (dropped: boolean) => void },
): () => void {
  const startScroll = scrollY
  const listening = new AbortController()
  const { signal } = listening
  let y = startY
  let frame = requestAnimationFrame(scrollAtEdge)

  const report = () => onMove(y - startY + scrollY - startScroll)

  function scrollAtEdge(): void {
    // Only in the direction of the drag: picking up a row near the edge must not scroll.
    const down = y > startY && y > innerHeight - EDGE_PX
    const up = y < startY && y < EDGE_PX
    if (down || up) scrollBy(0, down ? SCROLL_PX : -SCROLL_PX)
    frame = requestAnimationFrame(scrollAtEdge)
  }

  function end(dropped: boolean): void {
    if (signal.aborted) return
    listening.abort()
    cancelAnimationFrame(frame)
    onEnd(dropped)
  }
  const cancel = () => end(false)

  const onPointerMove = (event: PointerEvent) => {
    y = event.clientY
    report()
  }
  handle.addEventListener('pointermove', onPointerMove, { signal })
  handle.addEventListener('pointerup', () => end(true), { signal })
  handle.addEventListener('lostpointercapture', cancel, { signal })
  document.addEventListener('scroll', report, { signal })
  document.addEventListener(
    'keydown',
    onKey(({ key }) => key === 'Escape' && cancel()),
    { signal },
  )
  return cancel
}
