// A toggle block in the card builder and in the log.
import type { BlockKindOf } from './block-kind.ts'
import { COMMON_FIELDS } from './field-spec.ts'

const { disabled, hint, label, send_on_change } = COMMON_FIELDS

export const toggleKind: BlockKindOf<'toggle'> = {
  name: 'Toggle',
  about: 'On or off',
  icon: 'M5 5h6a3 3 0 0 1 0 6H5a3 3 0 0 1 0-6ZM11 8h.01',
  example: () => ({ type: 'toggle', id: 'notify', label: 'Notify the team', value: true }),
  fields: { label, value: { kind: 'flag', label: 'On' }, hint, disabled, send_on_change },
  entry: ({ label, value }) => ({ pairs: [[label, value ? 'on' : 'off']] }),
}
