// Plain text in one of four sizes, with line breaks and safe links.
import type { BlockOf } from '../../../shared/block.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import './text.css'

export function TextBlock(props: { block: BlockOf<'text'> }) {
  return (
    <p class={`text text-${props.block.size}`} classList={{ 'text-bold': props.block.bold }}>
      <LinkedText content={props.block.content} />
    </p>
  )
}
