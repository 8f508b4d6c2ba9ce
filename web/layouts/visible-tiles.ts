// Chooses the tiles of the grid with a live preview: those in or near the window, with a limit, as each has a socket.
import { type Accessor, createMemo, createSignal, onCleanup } from 'solid-js'

const LIVE_MAX = 24
const MARGIN = '240px'

export function chooseLive(order: string[], visible: ReadonlySet<string>, max: number): Set<string> {
  return new Set(order.filter(id => visible.has(id)).slice(0, max))
}

export type VisibleTiles = ReturnType<typeof createVisibleTiles>

export function createVisibleTiles(order: Accessor<string[]>) {
  const [visible, setVisible] = createSignal<ReadonlySet<string>>(new Set())
  const ids = new Map<Element, string>()
  const observer = new IntersectionObserver(onChange, { rootMargin: MARGIN })
  onCleanup(() => observer.disconnect())

  function onChange(entries: IntersectionObserverEntry[]): void {
    const next = new Set(visible())
    for (const { target, isIntersecting } of entries) {
      const id = ids.get(target)
      if (id === undefined) continue
      if (isIntersecting) next.add(id)
      else next.delete(id)
    }
    setVisible(next)
  }

  /** Watches the tile of `id` until the calling component is disposed. */
  function watch(element: Element, id: string): void {
    ids.set(element, id)
    observer.observe(element)
    onCleanup(() => {
      observer.unobserve(element)
      ids.delete(element)
      setVisible(before => new Set([...before].filter(other => other !== id)))
    })
  }

  const live = createMemo(() => chooseLive(order(), visible(), LIVE_MAX))
  return { watch, isLive: (id: string) => live().has(id) }
}
