// An icon for each block type.
import type { Component } from 'solid-js'
import type { BlockType } from '../../shared/block.ts'
import { IconImage, icon } from '../ui/icons.tsx'

export const BLOCK_ICONS: Record<BlockType, Component> = {
  text: icon('M3 4.5V3h10v1.5M8 3v10M6.25 13h3.5'),
  badge: icon('M4.5 5h7a3 3 0 0 1 0 6h-7a3 3 0 0 1 0-6ZM6 8h4'),
  kv: icon('M2.5 4.5h3M8 4.5h5.5M2.5 8h3M8 8h5.5M2.5 11.5h3M8 11.5h5.5'),
  button: icon(
    'M3.5 4.5h9a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5H11M2 7.5V6a1.5 1.5 0 0 1 1.5-1.5M5 7.5l5.5 2-2.4 1.1L7 13Z',
  ),
  image: IconImage,
  divider: icon('M2 8h12'),
  input: icon('M3 4.5h10a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1ZM4.5 7v2'),
  select: icon(
    'M3 4.5h10a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1ZM8.5 7.25l1.5 1.5 1.5-1.5',
  ),
  multiselect: icon('m2.25 4.5 1 1 2-2M2.25 11l1 1 2-2M8 4.75h6M8 11.25h6'),
  toggle: icon('M5 5h6a3 3 0 0 1 0 6H5a3 3 0 0 1 0-6ZM11 8h.01'),
}

export const IconUnknown = icon('M6 6a2 2 0 1 1 2.75 1.85c-.5.2-.75.6-.75 1.15M8 11.5h.01')
