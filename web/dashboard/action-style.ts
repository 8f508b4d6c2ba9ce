// What a person may set of a header action.
import { BUTTON_STYLES } from '../../shared/block.ts'
import { type HeaderAction, headerAction } from '../../shared/header-action.ts'

export type ActionFields = Pick<HeaderAction, 'label' | 'style'>

export const STYLES = BUTTON_STYLES.map(value => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

export const readStyle = (value: unknown): HeaderAction['style'] => headerAction.shape.style.parse(value)
