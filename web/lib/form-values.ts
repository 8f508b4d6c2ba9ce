// Finds and drops the edits in a form. The server's values are the controls' defaults (follow.ts). Controls without a
// name, such as a search field, hold no value of the form.
import { textInControl } from './default-value.ts'

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function isEdited(form: HTMLFormElement): boolean {
  return controlsOf(form).some(isChanged)
}

/** Sets every edited control back to the server's value, with the events that typing it would cause. */
export function dropEdits(form: HTMLFormElement): void {
  for (const control of controlsOf(form)) {
    if (!isChanged(control)) continue
    if (isTickable(control)) {
      if (control.defaultChecked) control.click()
      continue
    }
    control.value = defaultOf(control)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** After saving: shows the server's values, without events. A control that was edited since (not `isSent`) stays. */
export function showDefaults(form: HTMLFormElement, isSent: (control: Control) => boolean): void {
  for (const control of controlsOf(form))
    if (!isTickable(control) && isSent(control)) control.value = defaultOf(control)
}

/** The fields that differ from `known`, or null. Only these are sent, because others may have been changed elsewhere. */
export function changedFields<T extends object>(fields: T, known: NoInfer<T>): Partial<T> | null {
  const changed: Partial<T> = {}
  for (const name in fields) if (fields[name] !== known[name]) changed[name] = fields[name]
  return Object.keys(changed).length > 0 ? changed : null
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter((element): element is Control => isControl(element) && element.name !== '')
}

function isControl(element: Element): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
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
