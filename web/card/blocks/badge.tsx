// A short label on a coloured background. The variant decides the colour.
import type { BlockOf } from '../../../shared/block.ts'
import './badge.css'

export function BadgeBlock(props: { block: BlockOf<'badge'> }) {
  return <span class={`badge badge-${props.block.variant}`}>{props.block.label}</span>
}
