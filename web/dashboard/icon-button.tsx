// A button of an icon, named for screen readers, with a tooltip.
import type { JSX, Ref } from 'solid-js'

export type IconButtonProps = {
  label: string
  /** The tooltip; the label when it is not given. */
  title?: string
  icon: JSX.Element
  disabled?: boolean
  expanded?: boolean
  ref?: Ref<HTMLButtonElement>
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
