// Whether the palette, or the list of shortcuts, is open. Apart from both, so that neither is loaded before.
import { createRoot, createSignal } from 'solid-js'

export type Overlay = 'palette' | 'shortcuts' | null

const [overlay, setOverlay] = createRoot(() => createSignal<Overlay>(null))

export { overlay, setOverlay }
