// Keeps the server's value as the default value of a control. When it changes, untouched controls show the new value and
// edited ones keep the edit. So a form can tell its edits, and a reset drops them.
import { createEffect, createRenderEffect } from 'solid-js'

/** The text as the control holds it: browsers drop the line ends in an input, and normalize them in a textarea. */
export function textInControl(control: HTMLInputElement | HTMLTextAreaElement, text: string): string {
  return control instanceof HTMLInputElement ? text.replace(/[\r\n]/g, '') : text.replace(/\r\n?/g, '\n')
}

export function bindDefault(control: HTMLInputElement | HTMLTextAreaElement, value: () => string): void {
  createRenderEffect(() => {
    const saved = value()
    const untouched = control.value === textInControl(control, control.defaultValue)
    control.defaultValue = saved
    if (untouched) control.value = saved
  })
}

/** `options` is read so that this runs again when they change, after they are in the document. */
export function bindDefaultChoice(
  control: HTMLSelectElement,
  value: () => string,
  options: () => unknown,
): void {
  createEffect(() => {
    options()
    const saved = value()
    const chosen = isUntouched(control) ? saved : control.value
    for (const option of control.options) option.defaultSelected = option.value === saved
    control.value = chosen
  })
}

/** Without a default the browser selects the first option by itself: nobody chose it. */
function isUntouched(control: HTMLSelectElement): boolean {
  const saved = [...control.options].find(option => option.defaultSelected)
  return !saved || saved.selected
}
