// Finds and drops a form's edits: what differs from the defaults (default-value.ts). Unnamed controls don't count.
import { textInControl } from './default-value.ts'

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const isEdited = (form: HTMLFormElement) => controlsOf(form).some(isChanged)

/** The labels of the edited controls, each of which is marked on its field. */
export function changedLabels(form: HTMLFormElement): string[] {
  const changed = controlsOf(form).filter(isChanged)
  for (const field of form.querySelectorAll('.field'))
    field.toggleAttribute(
      'data-changed',
      changed.some(control => control.closest('.field') === field),
    )
  return [...new Set(changed.map(labelOf))]
}

function labelOf(control: Control): string {
  const legend = control.type === 'radio' ? control.closest('fieldset')?.querySelector('legend') : undefined
  return (legend ?? control.labels?.[0])?.textContent ?? control.name
}

/** Resets every edited control to the server's value, with the events of typing it. */
export function dropEdits(form: HTMLFormElement): void {
  for (const control of controlsOf(form)) {
    if (!isChanged(control)) continue
    if (!isTickable(control)) {
      control.value = defaultOf(control)
      control.dispatchEvent(new Event('input', { bubbles: true }))
    } else if (control.defaultChecked) control.click()
  }
}

/** Shows the server's values after saving, without events. A control that was edited since then keeps its edit. */
export function showDefaults(form: HTMLFormElement, isSent: (control: Control) => boolean): void {
  for (const control of controlsOf(form))
    if (!isTickable(control) && isSent(control)) control.value = defaultOf(control)
}

/** The fields that differ from `known`, or null. The others aren't sent, because they may have changed elsewhere. */
export function changedFields<T extends object>(fields: T, known: NoInfer<T>): Partial<T> | null {
  const changed: Partial<T> = {}
  for (const name in fields) if (fields[name] !== known[name]) changed[name] = fields[name]
  return Object.keys(changed).length > 0 ? changed : null
}

function controlsOf(form: HTMLFormElement): Control[] {
  const selector = ':is(input, textarea, select)[name]:not([name=""])'
  return [...form.elements].filter((element): element is Control => element.matches(selector))
}

function isChanged(control: Control): boolean {
  if (isTickable(control)) return control.checked !== control.defaultChecked
  return control.value !== defaultOf(control)
}

function defaultOf(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return textInControl(control, control.defaultValue)
  return [...control.options].find(option => option.defaultSelected)?.value ?? control.value
}

const isTickable = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')
