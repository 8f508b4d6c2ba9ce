// What stands there when a page fails, and when a part of the app is not on this device and cannot be had.
import { type JSX, onCleanup, onMount, Show } from 'solid-js'
import { IconCloudOff } from './icons.tsx'
import { Notice } from './notice.tsx'
import { TopBar } from './top-bar.tsx'

export function Crash(props: { error: unknown }): JSX.Element {
  const offline = !navigator.onLine
  const reload = () => location.reload()
  console.error(props.error)
  onMount(() => {
    if (offline) window.addEventListener('online', reload)
    onCleanup(() => window.removeEventListener('online', reload))
  })
  return (
    <>
      <TopBar />
      <main class="page">
        <Show
          when={!offline}
          fallback={
            <Notice title="Not on this device yet" icon={<IconCloudOff />}>
              <p>This page has not been opened here before. It opens as soon as there is a connection.</p>
            </Notice>
          }
        >
          <Notice title="Something went wrong">
            <p>This page failed to show. Reloading usually helps; what you typed is kept.</p>
            <button type="button" class="button button-primary" onClick={reload}>
              Reload
            </button>
          </Notice>
        </Show>
      </main>
    </>
  )
}
