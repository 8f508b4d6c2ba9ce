// The fields of a header action.
import type { JSX } from 'solid-js'
import { BUTTON_STYLES } from '../../shared/blocks/button.ts'
import { type HeaderAction, headerAction } from '../../shared/header-action.ts'
import { capitalized } from '../lib/capitalized.ts'
import { SelectField } from '../ui/choice.tsx'
import { FormField, type FormState } from '../ui/form.tsx'

export type ActionFields = Pick<HeaderAction, 'label' | 'style'>

const STYLES = BUTTON_STYLES.map(value => ({ value, label: capitalized(value) }))

export const NEW_ACTION: ActionFields = { label: '', style: 'primary' }

/** `name` tells apart the fields of several actions. */
export function HeaderActionFields(props: {
  form: FormState
  name: string
  saved: ActionFields
}): JSX.Element {
  return (
    <div class="action-fields">
      <FormField form={props.form} name="label" label={`Label of ${props.name}`} value={props.saved.label} />
      <SelectField
        form={props.form}
        name="style"
        label={`Style of ${props.name}`}
        value={props.saved.style}
        options={STYLES}
      />
    </div>
  )
}

export function readActionFields({ label = '', style }: Record<string, string>): ActionFields {
  return { label, style: headerAction.shape.style.parse(style) }
}
