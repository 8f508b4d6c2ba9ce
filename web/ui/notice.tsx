// A message in the place of content: an empty state, an error or an explanation.
import { type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import './notice.css'

export type NoticeProps = {
  title: string
  icon?: JSX.Element
  /** The level that follows from the headings above it; `h1` if the page has no other title. */
  heading?: 'h1' | 'h2' | 'h3'
  children?: JSX.Element
}

export function Notice(props: NoticeProps): JSX.Element {
  return (
    <section class="notice">
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
