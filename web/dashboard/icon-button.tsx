// A button of an icon, named for screen readers, with a tooltip.
import type { JSX } from 'solid-js'

export type IconButtonProps = {
  label: string
  /** The tooltip; the label when it is not given. */
  title?: string
  icon: JSX.Element
  disabled?: boolean
  expanded?: boolean
  ref?: (button: HTMLButtonElement) => void
  onClick: () => void
}

export function IconButton(props: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={props.label}
      aria-expanded={props.expanded}
      title={props.title ?? props.label}
      disabled={props.disabled}
      ref={props.ref}
      onClick={() => props.onClick()}
    >
      {props.icon}
    </button>
  )
}
