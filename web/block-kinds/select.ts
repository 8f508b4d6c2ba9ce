// A select block in the card builder and in the log.
import type { BlockKindOf } from './block-kind.ts'
import { COMMON_FIELDS } from './field-spec.ts'

const { disabled, hint, label, options, placeholder, required, send_on_change } = COMMON_FIELDS

export const selectKind: BlockKindOf<'select'> = {
  name: 'Select',
  about: 'Choose one option',
  icon: 'M3 4.5h10a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1ZM8.5 7.25l1.5 1.5 1.5-1.5',
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
  fields: {
    label,
    options,
    value: { kind: 'chosen', label: 'Value' },
    placeholder,
    hint,
    required,
    disabled,
    send_on_change,
  },
  entry: ({ label, value }) => ({ pairs: [[label, value ?? '']] }),
}
