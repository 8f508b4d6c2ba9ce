// A line between blocks.
import type { BlockDisplay } from './display.ts'
import './divider.css'

export const dividerDisplay: BlockDisplay<'divider'> = { View: () => <hr class="divider" /> }
