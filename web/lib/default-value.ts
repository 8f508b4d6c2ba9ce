// Keeps the server's value as the default value of a control, so that a form knows its edits. When the server's value
// changes, untouched controls show it and edited controls keep the edit.
import { createEffect, createRenderEffect } from 'solid-js'

/** Browsers remove line breaks from the value of an input, and normalize them in a textarea. */
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

/** A checkbox. */
export function bindDefaultChecked(control: HTMLInputElement, value: () => boolean): void {
  createRenderEffect(() => {
    const saved = value()
    const untouched = control.checked === control.defaultChecked
    control.defaultChecked = saved
    if (untouched) control.checked = saved
  })
}

/** Runs again when `options` change, after they are in the document. */
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

/** Without a default, the browser has selected the first option, not the user. */
function isUntouched(control: HTMLSelectElement): boolean {
  const saved = [...control.options].find(option => option.defaultSelected)
  return !saved || saved.selected
}
