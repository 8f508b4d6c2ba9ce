// The name of a group of controls.
import type { JSX } from 'solid-js'

/** `hidden`: only for screen readers. */
export const Legend = (props: { hidden?: boolean; children: JSX.Element }): JSX.Element => (
  <legend class={props.hidden ? 'sr-only' : 'legend'}>
    <span>{props.children}</span>
  </legend>
)
