// An input block in the card builder and in the log.
import type { BlockOf } from '../../shared/block.ts'
import type { BlockKindOf } from './block-kind.ts'
import { COMMON_FIELDS, choice } from './field-spec.ts'

const { disabled, hint, label, placeholder, required, send_on_change } = COMMON_FIELDS

export const inputKind: BlockKindOf<'input'> = {
  name: 'Input',
  about: 'Text, a number, a date, …',
  icon: 'M3 4.5h10a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1ZM4.5 7v2',
  example: () => ({
    type: 'input',
    id: 'note',
    label: 'Note',
    placeholder: 'What should the next person know?',
    multiline: true,
  }),
  fields: {
    label,
    input_type: choice<BlockOf<'input'>['input_type']>('Input type', {
      text: 'Text',
      number: 'Number',
      email: 'Email',
      url: 'URL',
      date: 'Date',
      time: 'Time',
      password: 'Password',
    }),
    value: { kind: 'line', label: 'Value', optional: true, half: true },
    placeholder,
    hint,
    max_length: { kind: 'count', label: 'Max length', optional: true, half: true },
    required,
    multiline: { kind: 'flag', label: 'Multiline' },
    disabled,
    send_on_change,
  },
  entry: ({ label, value }) => ({ pairs: [[label, value]] }),
}
