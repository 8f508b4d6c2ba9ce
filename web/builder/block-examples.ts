// Every block type with the valid example that "Add a block" adds.
import type { z } from 'zod'
import type { BlockType, block } from '../../shared/block.ts'

/** `origin` is the service's own address: it serves the picture of the example. */
export type BlockKind = {
  type: BlockType
  name: string
  about: string
  example: (origin: string) => z.input<typeof block>
}

const kind = (name: string, about: string, example: BlockKind['example']): BlockKind => ({
  type: example('').type,
  name,
  about,
  example,
})

export const BLOCK_KINDS: BlockKind[] = [
  kind('Text', 'A heading or a paragraph', () => ({
    type: 'text',
    id: 'text',
    content: 'Backup finished',
    size: 'lg',
    bold: true,
  })),
  kind('Badge', 'A short coloured word', () => ({
    type: 'badge',
    id: 'badge',
    label: 'Production',
    variant: 'info',
  })),
  kind('Key and value rows', 'Facts, or a growing log', () => ({
    type: 'kv',
    id: 'facts',
    rows: [
      { key: 'Duration', value: '4 min 12 s' },
      { key: 'Size', value: '18.2 GB' },
    ],
  })),
  kind('Buttons', 'Each click is an interaction', () => ({
    type: 'button',
    id: 'buttons',
    buttons: [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject', style: 'danger', confirm: 'Reject this?' },
    ],
  })),
  kind('Image', 'A chart or a screenshot', origin => ({
    type: 'image',
    id: 'image',
    url: `${origin}/example.svg`,
    alt: 'Orders by hour',
  })),
  kind('Divider', 'A line between parts', () => ({ type: 'divider', id: 'divider' })),
  kind('Input', 'Text, a number, a date, …', () => ({
    type: 'input',
    id: 'note',
    label: 'Note',
    placeholder: 'What should the next person know?',
    multiline: true,
  })),
  kind('Select', 'Choose one option', () => ({
    type: 'select',
    id: 'region',
    label: 'Region',
    options: [
      { value: 'eu', label: 'Europe' },
      { value: 'us', label: 'North America' },
    ],
    value: 'eu',
  })),
  kind('Multiselect', 'Choose any number of options', () => ({
    type: 'multiselect',
    id: 'checks',
    label: 'Checks',
    options: ['Lint', 'Tests', 'Build'],
    value: ['Lint', 'Tests'],
  })),
  kind('Toggle', 'On or off', () => ({
    type: 'toggle',
    id: 'notify',
    label: 'Notify the team',
    value: true,
  })),
]

export const kindOf = (type: unknown): BlockKind | undefined => BLOCK_KINDS.find(kind => kind.type === type)
