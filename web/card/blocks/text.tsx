// Plain text in one of four sizes, with line breaks and safe links.
import { Dynamic } from 'solid-js/web'
import type { BlockOf } from '../../../shared/block.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import './text.css'

export const TextBlock = (props: { block: BlockOf<'text'> }) => <Words block={props.block} as="p" />

/** On a line, or in a title. */
export const TextLine = (props: { block: BlockOf<'text'> }) => <Words block={props.block} as="span" />

function Words(props: { block: BlockOf<'text'>; as: 'p' | 'span' }) {
  return (
    <Dynamic
      component={props.as}
      class={`text text-${props.block.size} ${props.block.bold ? 'text-bold' : ''}`}
    >
      <LinkedText content={props.block.content} />
    </Dynamic>
  )
}
