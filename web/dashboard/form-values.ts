// What stands in the controls of a form: to tell whether something was entered, and to put it back.

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Kept = { name: string; value: string; checked: boolean }

/** The named controls, in order. A control without a name is a tool of the form, and not entered. */
export function readValues(form: HTMLFormElement): Kept[] {
  return controlsOf(form).map(control => ({
    name: control.name,
    value: control.value,
    checked: isTicked(control),
  }))
}

/** True where a person entered something since `kept`; a control that is new counts where it has something in it. */
export function isEdited(form: HTMLFormElement, kept: Kept[]): boolean {
  return controlsOf(form).some(control => {
    const before = keptOf(kept, control)
    if (!before) return isTickable(control) ? isTicked(control) : control.value !== ''
    return before.value !== control.value || before.checked !== isTicked(control)
  })
}

/** Puts back what was kept, as if a person had entered it. */
export function restoreValues(form: HTMLFormElement, kept: Kept[]): void {
  for (const control of controlsOf(form)) {
    const before = keptOf(kept, control)
    if (!before) continue
    if (isTickable(control)) {
      if (before.checked && !isTicked(control)) control.click()
    } else if (control.value !== before.value) {
      control.value = before.value
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
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

/** Of radio buttons each is a control of its own: the value tells them apart. */
function keptOf(kept: Kept[], control: Control): Kept | undefined {
  return kept.find(one => one.name === control.name && (!isTickable(control) || one.value === control.value))
}

const isTickable = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')
const isTicked = (control: Control) => isTickable(control) && control.checked
