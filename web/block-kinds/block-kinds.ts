// Every block type, as the owner's pages know it.
import type { BlockType, CardStateEntry } from '../../shared/block.ts'
import { badgeKind } from './badge.ts'
import type { BlockKind, BlockKindOf, EntryContent } from './block-kind.ts'
import { buttonKind } from './button.ts'
import { dividerKind } from './divider.ts'
import { imageKind } from './image.ts'
import { inputKind } from './input.ts'
import { kvKind } from './kv.ts'
import { multiselectKind } from './multiselect.ts'
import { selectKind } from './select.ts'
import { textKind } from './text.ts'
import { toggleKind } from './toggle.ts'

const KINDS: { [T in BlockType]: BlockKindOf<T> } = {
  text: textKind,
  badge: badgeKind,
  kv: kvKind,
  button: buttonKind,
  image: imageKind,
  divider: dividerKind,
  input: inputKind,
  select: selectKind,
  multiselect: multiselectKind,
  toggle: toggleKind,
}

/** In the order of the builder's menu. */
export const BLOCK_KINDS: BlockKind[] = Object.values(KINDS)

const isBlockType = (type: unknown): type is BlockType =>
  typeof type === 'string' && Object.hasOwn(KINDS, type)

export const kindOf = (type: unknown): BlockKind | undefined => (isBlockType(type) ? KINDS[type] : undefined)

/** Undefined for an entry of a type that only a newer version of the app knows. */
export const entryContent = (entry: CardStateEntry): EntryContent | undefined =>
  isBlockType(entry.type) ? contentOf(entry.type, entry) : undefined

const contentOf = <T extends BlockType>(type: T, entry: Extract<CardStateEntry, { type: T }>) =>
  KINDS[type].entry(entry)
