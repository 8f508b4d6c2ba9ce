// A block, shown by the component for its type.
import { Show } from 'solid-js'
import type { Block, BlockOf, BlockType } from '../../shared/block.ts'
import { badgeDisplay } from './blocks/badge.tsx'
import { buttonDisplay } from './blocks/button.tsx'
import type { BlockDisplay } from './blocks/display.ts'
import { dividerDisplay } from './blocks/divider.tsx'
import { imageDisplay } from './blocks/image.tsx'
import { inputDisplay } from './blocks/input.tsx'
import { kvDisplay } from './blocks/kv.tsx'
import { multiselectDisplay } from './blocks/multiselect.tsx'
import { selectDisplay } from './blocks/select.tsx'
import { textDisplay } from './blocks/text.tsx'
import { toggleDisplay } from './blocks/toggle.tsx'
import { UnknownBlock } from './blocks/unknown.tsx'
import './block.css'

const DISPLAYS: { [T in BlockType]: BlockDisplay<T> } = {
  text: textDisplay,
  badge: badgeDisplay,
  kv: kvDisplay,
  button: buttonDisplay,
  image: imageDisplay,
  divider: dividerDisplay,
  input: inputDisplay,
  select: selectDisplay,
  multiselect: multiselectDisplay,
  toggle: toggleDisplay,
}

/** Undefined for a type that only a newer version of the app knows. */
const displayOf = <T extends BlockType>(type: T): BlockDisplay<T> | undefined =>
  Object.hasOwn(DISPLAYS, type) ? DISPLAYS[type] : undefined

/** A block beside the card's status and time. */
export function LeadBlock<T extends BlockType>(props: { type: T; block: BlockOf<T> }) {
  return (
    <span class={`lead-${props.type}`} data-block-id={props.block.id}>
      <Show when={props.type} keyed>
        {type => displayOf(type)?.Lead?.(props)}
      </Show>
    </span>
  )
}

export function BlockView<T extends BlockType>(props: { type: T; block: BlockOf<T> }) {
  return (
    <div class={`block block-${props.type}`} data-block-id={props.block.id}>
      <Show when={props.type} keyed>
        {type => {
          const display = displayOf(type)
          return display ? display.View(props) : <UnknownBlock />
        }}
      </Show>
    </div>
  )
}

/** The card as text. Blocks that have no words are left out. */
export function cardText({ blocks }: { blocks: Block[] }): string {
  return blocks
    .map(block => wordsOf(block.type, block))
    .filter(words => words !== '')
    .join('\n')
}

const wordsOf = <T extends BlockType>(type: T, block: BlockOf<T>) => displayOf(type)?.words?.(block) ?? ''
