// A short label on a coloured background. The variant decides the colour.
import type { BlockOf } from '../../../shared/block.ts'
import type { BlockDisplay } from './display.ts'
import './badge.css'

export const badgeDisplay: BlockDisplay<'badge'> = {
  View: Badge,
  Lead: Badge,
  words: ({ label }) => `[${label}]`,
}

function Badge(props: { block: BlockOf<'badge'> }) {
  return <span class={`badge badge-${props.block.variant}`}>{props.block.label}</span>
}
