// A line between blocks.
export function DividerBlock() {
  return <hr class="divider" />
}
