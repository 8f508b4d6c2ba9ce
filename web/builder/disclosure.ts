// Fields behind a button that shows or hides them.
import { createRenderEffect, createSignal } from 'solid-js'

/**
 * `needed`: the fields hold something to see, so they open by themselves, and stay open when that is gone: someone may be at
 * work there. `held`: they can't be closed.
 */
export function createDisclosure(needed: () => boolean, held: () => boolean) {
  const [open, setOpen] = createSignal(false)
  createRenderEffect(() => needed() && setOpen(true))
  const isOpen = () => open() || held()
  return { isOpen, toggle: () => setOpen(!isOpen()) }
}
