// Plain text in one of four sizes, with line breaks and safe links.
import { createMemo } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { BlockOf } from '../../../shared/block.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { isLongText } from '../card-layout.ts'
import { createFold, FoldButton } from '../fold.tsx'
import type { BlockDisplay } from './display.ts'
import './text.css'

export const textDisplay: BlockDisplay<'text'> = {
  View: props => <Words block={props.block} as="p" />,
  // On a line, or in a title.
  Lead: props => <Words block={props.block} as="span" />,
  words: ({ content }) => content,
}

function Words(props: { block: BlockOf<'text'>; as: 'p' | 'span' }) {
  const fold = createFold(() => props.block.id)
  const isLong = createMemo(() => isLongText(props.block.content))
  const isFolded = () => isLong() && !fold.isOpen()
  return (
    <>
      <Dynamic
        component={props.as}
        class={`text text-${props.block.size} ${props.block.bold ? 'text-bold' : ''} ${isFolded() ? 'text-folded' : ''}`}
      >
        <LinkedText content={props.block.content} />
      </Dynamic>
      <FoldButton fold={fold} isLong={isLong()} all="" />
    </>
  )
}
