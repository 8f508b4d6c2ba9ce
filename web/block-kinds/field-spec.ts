// How a field of a block is edited in the card builder, and the fields that several block types share.

type SimpleKind = 'line' | 'lines' | 'count' | 'flag' | 'choice'
type OptionsKind = 'options' | 'chosen' | 'chosen-many'
type QuestionKind = 'question' | 'who' | 'deadline' | 'approves'

export type FieldSpec = {
  kind: SimpleKind | OptionsKind | QuestionKind | 'rows' | 'buttons'
  label: string
  /** The values of a choice, and what people read for them. '' is for no value. */
  names?: Record<string, string>
  hint?: string
  /** An empty field is left out of the block. */
  optional?: true
  half?: true
}

/** A new field of a schema doesn't compile until it is listed. */
export type FieldsOf<T extends object> = Record<Exclude<keyof T, 'type' | 'id'>, FieldSpec>

/** `names` must have all values. */
export const choice = <T extends string>(label: string, names: Record<T, string>): FieldSpec => ({
  kind: 'choice',
  label,
  names,
  half: true,
})

export const COMMON_FIELDS = {
  label: { kind: 'line', label: 'Label' },
  placeholder: { kind: 'line', label: 'Placeholder', optional: true, half: true },
  hint: { kind: 'line', label: 'Hint', optional: true, half: true },
  required: { kind: 'flag', label: 'Required' },
  disabled: { kind: 'flag', label: 'Disabled' },
  send_on_change: { kind: 'flag', label: 'Send on change' },
  options: { kind: 'options', label: 'Options' },
} satisfies Record<string, FieldSpec>
