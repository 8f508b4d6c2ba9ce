// A block, shown by the component for its type.
import { type Component, Show } from 'solid-js'
import type { Block, BlockOf, BlockType } from '../../shared/block.ts'
import { BadgeBlock } from './blocks/badge.tsx'
import { ButtonBlock } from './blocks/button.tsx'
import { DividerBlock } from './blocks/divider.tsx'
import { ImageBlock } from './blocks/image.tsx'
import { InputBlock } from './blocks/input.tsx'
import { KvBlock } from './blocks/kv.tsx'
import { MultiselectBlock } from './blocks/multiselect.tsx'
import { SelectBlock } from './blocks/select.tsx'
import { TextBlock, TextLine } from './blocks/text.tsx'
import { ToggleBlock } from './blocks/toggle.tsx'
import { UnknownBlock } from './blocks/unknown.tsx'
import './block.css'

type Blocks = { [T in BlockType]: BlockOf<T> }

const COMPONENTS: { [T in BlockType]: Component<{ block: Blocks[T] }> } = {
  text: TextBlock,
  badge: BadgeBlock,
  kv: KvBlock,
  button: ButtonBlock,
  image: ImageBlock,
  divider: DividerBlock,
  input: InputBlock,
  select: SelectBlock,
  multiselect: MultiselectBlock,
  toggle: ToggleBlock,
}

/** A text or badge beside the card's status and time. */
export function LeadBlock(props: { block: Block }) {
  const text = () => (props.block.type === 'text' ? props.block : undefined)
  const badge = () => (props.block.type === 'badge' ? props.block : undefined)
  return (
    <span class={`lead-${props.block.type}`} data-block-id={props.block.id}>
      <Show when={text()}>{block => <TextLine block={block()} />}</Show>
      <Show when={badge()}>{block => <BadgeBlock block={block()} />}</Show>
    </span>
  )
}

export function BlockView<T extends BlockType>(props: { type: T; block: Blocks[T] }) {
  return (
    <div class={`block block-${props.type}`} data-block-id={props.block.id}>
      <Show when={props.type} keyed>
        {type => (Object.hasOwn(COMPONENTS, type) ? COMPONENTS[type](props) : <UnknownBlock />)}
      </Show>
    </div>
  )
}
