// Offers to reload when a newer version is ready.
import { createSignal, type JSX, Show } from 'solid-js'
import { newVersion } from './app-version.ts'
import './new-version.css'

export function NewVersion(): JSX.Element {
  const [later, setLater] = createSignal(false)
  return (
    <div role="status">
      <Show when={newVersion() && !later()}>
        <div class="new-version box buttons">
          <span>A new version is ready.</span>
          <button type="button" class="button button-primary" onClick={() => location.reload()}>
            Reload
          </button>
          <button type="button" class="button button-secondary" onClick={() => setLater(true)}>
            Later
          </button>
        </div>
      </Show>
    </div>
  )
}
