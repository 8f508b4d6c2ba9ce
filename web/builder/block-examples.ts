// Every block type with the valid example that "Add a block" adds.
import type { z } from 'zod'
import type { BlockType, block } from '../../shared/block.ts'

type BlockInput = z.input<typeof block>

/** `origin` is the service's own address: it serves the picture of the example. */
export type BlockKind = {
  type: BlockType
  name: string
  about: string
  example: (origin: string) => BlockInput
}

export const BLOCK_KINDS: BlockKind[] = [
  {
    type: 'text',
    name: 'Text',
    about: 'A heading or a paragraph',
    example: () => ({ type: 'text', id: 'text', content: 'Backup finished', size: 'lg', bold: true }),
  },
  {
    type: 'badge',
    name: 'Badge',
    about: 'A short coloured word',
    example: () => ({ type: 'badge', id: 'badge', label: 'Production', variant: 'info' }),
  },
  {
    type: 'kv',
    name: 'Key and value rows',
    about: 'Facts, or a growing log',
    example: () => ({
      type: 'kv',
      id: 'facts',
      rows: [
        { key: 'Duration', value: '4 min 12 s' },
        { key: 'Size', value: '18.2 GB' },
      ],
    }),
  },
  {
    type: 'button',
    name: 'Buttons',
    about: 'Each click is an interaction',
    example: () => ({
      type: 'button',
      id: 'buttons',
      buttons: [
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject', style: 'danger', confirm: 'Reject this?' },
      ],
    }),
  },
  {
    type: 'image',
    name: 'Image',
    about: 'A chart or a screenshot',
    example: origin => ({ type: 'image', id: 'image', url: `${origin}/example.svg`, alt: 'Orders by hour' }),
  },
  {
    type: 'divider',
    name: 'Divider',
    about: 'A line between parts',
    example: () => ({ type: 'divider', id: 'divider' }),
  },
  {
    type: 'input',
    name: 'Input',
    about: 'Text, a number, a date, …',
    example: () => ({
      type: 'input',
      id: 'note',
      label: 'Note',
      placeholder: 'What should the next person know?',
      multiline: true,
    }),
  },
  {
    type: 'select',
    name: 'Select',
    about: 'Choose one option',
    example: () => ({
      type: 'select',
      id: 'region',
      label: 'Region',
      options: [
        { value: 'eu', label: 'Europe' },
        { value: 'us', label: 'North America' },
      ],
      value: 'eu',
    }),
  },
  {
    type: 'multiselect',
    name: 'Multiselect',
    about: 'Choose any number of options',
    example: () => ({
      type: 'multiselect',
      id: 'checks',
      label: 'Checks',
      options: ['Lint', 'Tests', 'Build'],
      value: ['Lint', 'Tests'],
    }),
  },
  {
    type: 'toggle',
    name: 'Toggle',
    about: 'On or off',
    example: () => ({ type: 'toggle', id: 'notify', label: 'Notify the team', value: true }),
  },
]

const KINDS = new Map<unknown, BlockKind>(BLOCK_KINDS.map(kind => [kind.type, kind]))

export const kindOf = (type: unknown): BlockKind | undefined => KINDS.get(type)
