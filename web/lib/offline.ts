import { type Accessor, createSignal } from 'solid-js'
import { listen } from './listen.ts'

/** Whether the browser says that it has no network. */
export function createOffline(): Accessor<boolean> {
  const [offline, setOffline] = createSignal(!navigator.onLine)
  const update = () => setOffline(!navigator.onLine)
  listen(window, 'online', update)
  listen(window, 'offline', update)
  return offline
}
