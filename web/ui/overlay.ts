// Whether the palette or the list of shortcuts is open. It is apart from both, so that they load only when they open.
import { createRoot, createSignal } from 'solid-js'

const [overlay, setOverlay] = createRoot(() => createSignal<'palette' | 'shortcuts' | null>(null))

export { overlay, setOverlay }
