// Finds and drops the edits inside an element: what differs from the defaults (default-value.ts). Unnamed controls don't
// count.
import { textInControl } from './default-value.ts'

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const isEdited = (box: Element) => controlsOf(box).some(isChanged)

/** The labels of the edited controls, each of which is marked on its field. */
export function changedLabels(box: Element): string[] {
  const changed = controlsOf(box).filter(isChanged)
  for (const field of box.querySelectorAll('.field'))
    field.toggleAttribute(
      'data-changed',
      changed.some(control => control.closest('.field') === field),
    )
  return [...new Set(changed.map(labelOf))]
}

function labelOf(control: Control): string {
  const legend = control.type === 'radio' ? control.closest('fieldset')?.querySelector('legend') : undefined
  return (legend?.textContent ?? control.ariaLabel ?? control.labels?.[0]?.textContent) || control.name
}

/** Resets every edited control to the server's value, with the events of typing it. */
export function dropEdits(box: Element): void {
  for (const control of controlsOf(box)) {
    if (!isChanged(control)) continue
    if (!isTickable(control)) {
      control.value = defaultOf(control)
      control.dispatchEvent(new Event('input', { bubbles: true }))
    } else if (control.defaultChecked || control.type === 'checkbox') control.click()
  }
}

/** Shows the server's values after saving, without events. A control that was edited since then keeps its edit. */
export function showDefaults(box: Element, isSent: (control: Control) => boolean): void {
  for (const control of controlsOf(box))
    if (!isTickable(control) && isSent(control)) control.value = defaultOf(control)
}

/** The fields that differ from `known`, or null. The others aren't sent, because they may have changed elsewhere. */
export function changedFields<T extends object>(fields: T, known: NoInfer<T>): Partial<T> | null {
  const changed: Partial<T> = {}
  for (const name in fields) if (fields[name] !== known[name]) changed[name] = fields[name]
  return Object.keys(changed).length > 0 ? changed : null
}

const controlsOf = (box: Element) => [
  ...box.querySelectorAll<Control>(':is(input, textarea, select)[name]:not([name=""], [inert] *)'),
]

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
