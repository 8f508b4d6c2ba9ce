// A multiselect block in the card builder and in the log.
import type { BlockKindOf } from './block-kind.ts'
import { COMMON_FIELDS } from './field-spec.ts'

const { disabled, hint, label, options, placeholder, required, send_on_change } = COMMON_FIELDS

export const multiselectKind: BlockKindOf<'multiselect'> = {
  name: 'Multiselect',
  about: 'Choose any number of options',
  icon: 'm2.25 4.5 1 1 2-2M2.25 11l1 1 2-2M8 4.75h6M8 11.25h6',
  example: () => ({
    type: 'multiselect',
    id: 'checks',
    label: 'Checks',
    options: ['Lint', 'Tests', 'Build'],
    value: ['Lint', 'Tests'],
  }),
  fields: {
    label: { ...label, optional: true },
    options,
    value: { kind: 'chosen-many', label: 'Value' },
    placeholder,
    hint,
    required,
    disabled,
    send_on_change,
  },
  entry: ({ id, value }) => ({ pairs: [[id, value.join(', ')]] }),
}
