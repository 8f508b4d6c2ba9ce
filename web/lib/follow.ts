// What the server has stands in a control as its default value, and follows where that changes; what a person has
// entered stays. So a form knows its edits, and a reset drops them, as the platform has it.
import { createEffect, createRenderEffect } from 'solid-js'

/** What a control makes of a text: one of a single line has no line ends, one of several has its own. */
export function shownBy(control: HTMLInputElement | HTMLTextAreaElement, text: string): string {
  return control instanceof HTMLInputElement ? text.replace(/[\r\n]/g, '') : text.replace(/\r\n?/g, '\n')
}

export function followValue(control: HTMLInputElement | HTMLTextAreaElement, value: () => string): void {
  createRenderEffect(() => {
    const kept = value()
    const untouched = control.value === shownBy(control, control.defaultValue)
    control.defaultValue = kept
    if (untouched) control.value = kept
  })
}

/** `options` come and go: they are in the document when this looks. */
export function followChoice(control: HTMLSelectElement, value: () => string, options: () => unknown): void {
  createEffect(() => {
    options()
    const kept = value()
    const chosen = isUntouched(control) ? kept : control.value
    for (const option of control.options) option.defaultSelected = option.value === kept
    control.value = chosen
  })
}

/** Before there is a default, the first option stands there by itself. */
function isUntouched(control: HTMLSelectElement): boolean {
  const kept = [...control.options].find(option => option.defaultSelected)
  return !kept || kept.selected
}
