// The plain buttons of the dashboard: with text, or with an icon and a tooltip.
import type { JSX, Ref } from 'solid-js'

export function Button(props: {
  class?: string
  primary?: boolean
  /** Looks disabled but keeps the focus. */
  inactive?: boolean
  expanded?: boolean
  onClick: () => void
  children: JSX.Element
}): JSX.Element {
  return (
    <button
      type="button"
      class={`button button-${props.primary ? 'primary' : 'secondary'} ${props.class ?? ''}`}
      aria-disabled={props.inactive}
      aria-expanded={props.expanded}
      onClick={() => props.onClick()}
    >
      {props.children}
    </button>
  )
}

export function IconButton(props: {
  label: string
  title?: string
  icon: JSX.Element
  disabled?: boolean
  expanded?: boolean
  ref?: Ref<HTMLButtonElement>
  onClick: () => void
}): JSX.Element {
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
