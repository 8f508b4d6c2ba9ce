// A line above the content that says what is special about the page now, such as that it is offline.
import type { JSX } from 'solid-js'
import './banner.css'

export function Banner(props: {
  status?: 'warning' | 'error' | 'you'
  icon: JSX.Element
  children: JSX.Element
}): JSX.Element {
  return (
    <div class="banner" data-status={props.status}>
      {props.icon}
      <span class="fill">{props.children}</span>
    </div>
  )
}
