// A line between blocks.
import './divider.css'

export function DividerBlock() {
  return <hr class="divider" />
}
