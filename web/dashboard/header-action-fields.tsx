// The fields of a header action, the same when it is created and when it is edited.
import type { JSX } from 'solid-js'
import { BUTTON_STYLES } from '../../shared/blocks/button.ts'
import { type HeaderAction, headerAction } from '../../shared/header-action.ts'
import { capitalized } from '../lib/capitalized.ts'
import { SelectField } from '../ui/choice.tsx'
import { FormField, type FormState } from '../ui/form.tsx'

export type ActionFields = Pick<HeaderAction, 'label' | 'style'>

const STYLES = BUTTON_STYLES.map(value => ({ value, label: capitalized(value) }))

export function HeaderActionFields(props: { form: FormState; saved?: ActionFields }): JSX.Element {
  return (
    <div class="columns">
      <FormField form={props.form} name="label" label="Label" value={props.saved?.label} />
      <SelectField
        form={props.form}
        name="style"
        label="Style"
        value={props.saved?.style ?? 'primary'}
        options={STYLES}
      />
    </div>
  )
}

export function readActionFields({ label = '', style }: Record<string, string>): ActionFields {
  return { label, style: headerAction.shape.style.parse(style) }
}
