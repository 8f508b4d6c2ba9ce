// Offers to reload when a newer version is ready.
import { createSignal, type JSX, Show } from 'solid-js'
import { Button } from '../ui/button.tsx'
import { newVersion } from './app-version.ts'
import './new-version.css'

export function NewVersion(): JSX.Element {
  const [later, setLater] = createSignal(false)
  return (
    <div role="status">
      <Show when={newVersion() && !later()}>
        <div class="new-version box line">
          <span>A new version is ready.</span>
          <Button class="button button-primary" onClick={() => location.reload()}>
            Reload
          </Button>
          <Button onClick={() => setLater(true)}>Later</Button>
        </div>
      </Show>
    </div>
  )
}
