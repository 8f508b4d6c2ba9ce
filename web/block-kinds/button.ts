// A button block in the card builder and in the log.
import type { BlockKindOf } from './block-kind.ts'

export const buttonKind: BlockKindOf<'button'> = {
  name: 'Buttons',
  about: 'Each click is an interaction',
  icon: 'M3.5 4.5h9a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5H11M2 7.5V6a1.5 1.5 0 0 1 1.5-1.5M5 7.5l5.5 2-2.4 1.1L7 13Z',
  example: () => ({
    type: 'button',
    id: 'buttons',
    buttons: [
      { id: 'approve', label: 'Approve' },
      { id: 'reject', label: 'Reject', style: 'danger', confirm: 'Reject this?' },
    ],
  }),
  fields: {
    buttons: { kind: 'buttons', label: 'Buttons' },
    decision: { kind: 'question', label: 'Ask for a decision' },
  },
  list: { field: 'buttons', name: 'label' },
  entry: ({ buttons }) => ({ buttons }),
}
