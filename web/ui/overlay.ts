// Whether the palette or the list of shortcuts is open. A file of its own, so that neither loads before it opens.
import { createRoot, createSignal } from 'solid-js'

export type Overlay = 'palette' | 'shortcuts' | null

const [overlay, setOverlay] = createRoot(() => createSignal<Overlay>(null))

export { overlay, setOverlay }
