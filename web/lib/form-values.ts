// What was entered in the controls of a form: to tell whether there is something, and to drop it. What the server has
// are the controls' defaults (follow.ts). A control without a name is a tool of the form, and not entered.
import { shownBy } from './follow.ts'

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function isEdited(form: HTMLFormElement): boolean {
  return controlsOf(form).some(isChanged)
}

/** As if a person had entered what the server has. */
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

/** Without a word: what was entered has been taken. What `isSent` knows no more was entered since, and stays. */
export function showDefaults(form: HTMLFormElement, isSent: (control: Control) => boolean): void {
  for (const control of controlsOf(form))
    if (!isTickable(control) && isSent(control)) control.value = defaultOf(control)
}

/** What differs from what is known, to be sent alone: the rest may have been changed elsewhere. Null where nothing does. */
export function changedOf<T extends object>(fields: T, known: NoInfer<T>): Partial<T> | null {
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
  if (!(control instanceof HTMLSelectElement)) return shownBy(control, control.defaultValue)
  return [...control.options].find(option => option.defaultSelected)?.value ?? control.value
}

const isTickable = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')
