// The icons of the card builder: one for each block type, and its tools.
import type { Component } from 'solid-js'
import type { BlockType } from '../../shared/block.ts'
import { Icon, IconImage } from '../ui/icons.tsx'

const drawn = (path: string) => () => (
  <Icon>
    <path d={path} />
  </Icon>
)

export const BLOCK_ICONS: Record<BlockType, Component> = {
  text: drawn('M3 4.5V3h10v1.5M8 3v10M6.25 13h3.5'),
  badge: drawn('M4.5 5h7a3 3 0 0 1 0 6h-7a3 3 0 0 1 0-6ZM6 8h4'),
  kv: drawn('M2.5 4.5h3M8 4.5h5.5M2.5 8h3M8 8h5.5M2.5 11.5h3M8 11.5h5.5'),
  button: drawn(
    'M3.5 4.5h9a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5H11M2 7.5V6a1.5 1.5 0 0 1 1.5-1.5M5 7.5l5.5 2-2.4 1.1L7 13Z',
  ),
  image: IconImage,
  divider: drawn('M2 8h12'),
  input: drawn('M3 4.5h10a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1ZM4.5 7v2'),
  select: drawn(
    'M3 4.5h10a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1ZM8.5 7.25l1.5 1.5 1.5-1.5',
  ),
  multiselect: drawn('m2.25 4.5 1 1 2-2M2.25 11l1 1 2-2M8 4.75h6M8 11.25h6'),
  toggle: drawn('M5 5h6a3 3 0 0 1 0 6H5a3 3 0 0 1 0-6ZM11 8h.01'),
}

export const IconGrip = drawn('M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01')
export const IconCopy = drawn('M6 5.5h6.5V13H6zM3.5 10.5V3H10')
export const IconTrash = drawn('M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5')
export const IconPlus = drawn('M8 3v10M3 8h10')
export const IconUndo = drawn('M5.5 3 3 5.5 5.5 8M3 5.5h6.25a3.75 3.75 0 0 1 0 7.5H7')
export const IconRedo = drawn('M10.5 3 13 5.5 10.5 8M13 5.5H6.75a3.75 3.75 0 0 0 0 7.5H9')
export const IconUnknown = drawn('M6 6a2 2 0 1 1 2.75 1.85c-.5.2-.75.6-.75 1.15M8 11.5h.01')
