// A short word on a tinted ground. Its variant colours it; the label says what it means.
import type { BlockOf } from '../../../shared/block.ts'

export function BadgeBlock(props: { block: BlockOf<'badge'> }) {
  return <span class={`badge badge-${props.block.variant}`}>{props.block.label}</span>
}
