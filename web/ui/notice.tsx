// A message that replaces content: an empty state, an error or an explanation.
import { type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import './notice.css'

export function Notice(props: {
  title: string
  icon?: JSX.Element
  heading?: 'h1' | 'h2' | 'h3'
  children?: JSX.Element
}): JSX.Element {
  return (
    <section class="notice stack">
      <Show when={props.icon}>
        <div class="notice-icon">{props.icon}</div>
      </Show>
      <Dynamic component={props.heading ?? 'h1'} class="notice-title">
        {props.title}
      </Dynamic>
      {props.children}
    </section>
  )
}
