// A page, or a part of one, that has something to say instead of something to show.
import { type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'

export type NoticeProps = {
  title: string
  icon?: JSX.Element
  /** `h2` where the page has a title of its own, `h3` where the part of it has one, too. */
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
