import { onCleanup } from 'solid-js'

/** Listens until the component is removed. */
export function listen(target: EventTarget, event: string, listener: (event: Event) => void): void {
  target.addEventListener(event, listener)
  onCleanup(() => target.removeEventListener(event, listener))
}
