// Which previews are live: those in or near the window, and no more of them than a browser should keep sockets for.
import { type Accessor, createMemo, createSignal, onCleanup } from 'solid-js'

/** More than any screen shows at a time. */
export const MOST_LIVE = 24
const NEAR = '240px'

/** The first of those that are near, in the order in which they stand. Pure. */
export function chooseLive(order: string[], near: ReadonlySet<string>, most: number): Set<string> {
  return new Set(order.filter(id => near.has(id)).slice(0, most))
}

export function createNearby(order: Accessor<string[]>) {
  const [near, setNear] = createSignal<ReadonlySet<string>>(new Set())
  const ids = new Map<Element, string>()
  const observer = new IntersectionObserver(look, { rootMargin: NEAR })
  onCleanup(() => observer.disconnect())

  function look(entries: IntersectionObserverEntry[]): void {
    const next = new Set(near())
    for (const { target, isIntersecting } of entries) {
      const id = ids.get(target)
      if (id === undefined) continue
      if (isIntersecting) next.add(id)
      else next.delete(id)
    }
    setNear(next)
  }

  /** From now until its owner goes, `element` stands for `id`. */
  function watch(element: Element, id: string): void {
    ids.set(element, id)
    observer.observe(element)
    onCleanup(() => {
      observer.unobserve(element)
      ids.delete(element)
      setNear(before => new Set([...before].filter(one => one !== id)))
    })
  }

  const live = createMemo(() => chooseLive(order(), near(), MOST_LIVE))
  return { watch, isLive: (id: string) => live().has(id) }
}
