// How the fields of each block type are edited. A new field of a schema doesn't compile until it is listed here.
import {
  BADGE_VARIANTS,
  type BlockButton,
  type BlockOf,
  type BlockType,
  BUTTON_STYLES,
  INPUT_TYPES,
  TEXT_SIZES,
} from '../../shared/block.ts'
import { COMMENTS, IF_CHANGED, type NewDecision } from '../../shared/decision.ts'

type SimpleKind = 'line' | 'lines' | 'count' | 'flag' | 'choice'
type OptionsKind = 'options' | 'chosen' | 'chosen-many'
type QuestionKind = 'question' | 'who' | 'deadline' | 'approves'

export type FieldSpec = {
  kind: SimpleKind | OptionsKind | QuestionKind | 'rows' | 'buttons'
  label: string
  /** The values of a choice. */
  of?: readonly string[]
  /** What a choice calls them, if a capital letter isn't enough. The name of no value is ''. */
  names?: Record<string, string>
  hint?: string
  /** An empty field is left out of the block. */
  optional?: true
  half?: true
}

type FieldsOf<T extends object> = Record<Exclude<keyof T, 'type' | 'id'>, FieldSpec>

const label: FieldSpec = { kind: 'line', label: 'Label' }
const placeholder: FieldSpec = { kind: 'line', label: 'Placeholder', optional: true, half: true }
const hint: FieldSpec = { kind: 'line', label: 'Hint', optional: true, half: true }
const required: FieldSpec = { kind: 'flag', label: 'Required' }
const disabled: FieldSpec = { kind: 'flag', label: 'Disabled' }
const send_on_change: FieldSpec = { kind: 'flag', label: 'Send on change' }
const options: FieldSpec = { kind: 'options', label: 'Options' }
const sizes = { sm: 'Small', md: 'Medium', lg: 'Large', xl: 'Extra large' }
const chosen = { placeholder, hint, required, disabled, send_on_change }

export const BLOCK_FIELDS: { [T in BlockType]: FieldsOf<BlockOf<T>> } = {
  text: {
    content: { kind: 'lines', label: 'Content' },
    size: { kind: 'choice', label: 'Size', of: TEXT_SIZES, names: sizes, half: true },
    bold: { kind: 'flag', label: 'Bold' },
  },
  badge: {
    label: { ...label, half: true },
    variant: { kind: 'choice', label: 'Variant', of: BADGE_VARIANTS, half: true },
  },
  kv: { rows: { kind: 'rows', label: 'Rows' } },
  button: {
    buttons: { kind: 'buttons', label: 'Buttons' },
    decision: { kind: 'question', label: 'Ask for a decision' },
  },
  image: {
    url: { kind: 'line', label: 'URL' },
    alt: {
      kind: 'line',
      label: 'Alt text',
      hint: 'Describes the image to people who can’t see it',
      optional: true,
    },
  },
  divider: {},
  input: {
    label,
    input_type: { kind: 'choice', label: 'Input type', of: INPUT_TYPES, names: { url: 'URL' }, half: true },
    value: { kind: 'line', label: 'Value', optional: true, half: true },
    placeholder,
    hint,
    max_length: { kind: 'count', label: 'Max length', optional: true, half: true },
    required,
    multiline: { kind: 'flag', label: 'Multiline' },
    disabled,
    send_on_change,
  },
  select: { label, options, value: { kind: 'chosen', label: 'Value' }, ...chosen },
  multiselect: {
    label: { ...label, optional: true },
    options,
    value: { kind: 'chosen-many', label: 'Value' },
    ...chosen,
  },
  toggle: { label, value: { kind: 'flag', label: 'On' }, hint, disabled, send_on_change },
}

export const BUTTON_FIELDS: FieldsOf<Omit<BlockButton, 'comment'>> & Record<'id', FieldSpec> = {
  label: { ...label, half: true },
  style: { kind: 'choice', label: 'Style', of: BUTTON_STYLES, half: true },
  id: { kind: 'line', label: 'Button id', optional: true, half: true },
  confirm: { kind: 'lines', label: 'Confirmation question', optional: true },
  disabled,
}

const comments = { none: 'None', optional: 'Optional', required: 'Required' }

/** The fields of a button whose block asks for a decision. */
export const CHOICE_FIELDS: FieldsOf<BlockButton> & Record<'id', FieldSpec> = {
  ...BUTTON_FIELDS,
  comment: {
    kind: 'choice',
    label: 'Comment with this button',
    of: COMMENTS,
    names: { '': 'Same as the question', ...comments },
    optional: true,
    half: true,
  },
}

/** The time of `expires_in` also edits `expires_at`. To ask again has its own control. */
export const QUESTION_FIELDS: FieldsOf<Omit<NewDecision, 'expires_at' | 'reopen'>> = {
  who: { kind: 'who', label: 'Who may decide', half: true },
  expires_in: { kind: 'deadline', label: 'Closes after', half: true },
  comment: { kind: 'choice', label: 'Comment', of: COMMENTS, names: comments, half: true },
  approves: {
    kind: 'approves',
    label: 'Button that approves',
    hint: 'Lets the automation go ahead.',
    half: true,
  },
  if_changed: {
    kind: 'choice',
    label: 'If the card changes',
    of: IF_CHANGED,
    names: { accept: 'Presses still count', refuse: 'People must look again' },
    half: true,
  },
  key: {
    kind: 'line',
    label: 'Question key',
    hint: 'A question with this key is asked only once at a time.',
    optional: true,
    half: true,
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
