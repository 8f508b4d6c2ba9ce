// How the parts of blocks are edited: a button, a question, and the id. web/block-kinds/ has the fields of each block type.

import type { BlockButton } from '../../shared/blocks/button.ts'
import type { NewDecision } from '../../shared/decision.ts'
import { COMMON_FIELDS, choice, type FieldSpec, type FieldsOf } from '../block-kinds/field-spec.ts'

const { disabled } = COMMON_FIELDS

export const BUTTON_STYLE_NAMES: Record<BlockButton['style'], string> = {
  primary: 'Primary',
  secondary: 'Secondary',
  danger: 'Danger',
}

/** The row of a button has its label and style. */
type MoreOfButton = Omit<BlockButton, 'label' | 'style'>

export const BUTTON_FIELDS: FieldsOf<Omit<MoreOfButton, 'comment'>> & Record<'id', FieldSpec> = {
  id: { kind: 'line', label: 'Button id', optional: true },
  confirm: { kind: 'lines', label: 'Confirmation question', optional: true },
  disabled,
}

const comments: Record<NonNullable<NewDecision['comment']>, string> = {
  none: 'None',
  optional: 'Optional',
  required: 'Required',
}

/** The fields of a button whose block asks for a decision. */
export const CHOICE_FIELDS: FieldsOf<MoreOfButton> & Record<'id', FieldSpec> = {
  id: { ...BUTTON_FIELDS.id, half: true },
  comment: {
    ...choice('Comment with this button', { '': 'Same as the question', ...comments }),
    optional: true,
  },
  confirm: BUTTON_FIELDS.confirm,
  disabled,
}

/** What people decide first when they ask. The time of `expires_in` also edits `expires_at`. */
export const QUESTION_FIELDS: FieldsOf<Pick<NewDecision, 'who' | 'expires_in' | 'approves'>> = {
  approves: {
    kind: 'approves',
    label: 'Button that approves',
    hint: 'Your automation goes ahead only if people press this one.',
  },
  who: { kind: 'who', label: 'Who may decide', half: true },
  expires_in: { kind: 'deadline', label: 'Closes after', half: true },
}

/** To ask again has its own control. */
export const MORE_QUESTION_FIELDS: FieldsOf<Pick<NewDecision, 'comment' | 'if_changed' | 'key' | 'agents'>> =
  {
    comment: choice('Comment', comments),
    if_changed: choice<NonNullable<NewDecision['if_changed']>>('If the card changes', {
      accept: 'Presses still count',
      refuse: 'People look again',
    }),
    key: {
      kind: 'line',
      label: 'Question key',
      hint: 'A question with this key is asked only once at a time.',
      optional: true,
    },
    agents: { kind: 'flag', label: 'Other API keys may decide too' },
  }

export const ID_FIELD: Record<'id', FieldSpec> = {
  id: {
    kind: 'line',
    label: 'Block id',
    hint: 'A PATCH names the block by its id. Leave it empty to get a new id.',
    optional: true,
  },
}
