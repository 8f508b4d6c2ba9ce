// One section of a settings page: its title and description on the left, its settings on the right.
import type { JSX } from 'solid-js'
import './section.css'

export function Section(props: {
  title: string
  about: string
  children: JSX.Element
  danger?: boolean
}): JSX.Element {
  return (
    <section class="section" classList={{ 'section-danger': props.danger }} aria-label={props.title}>
      <div class="section-head">
        <h2>{props.title}</h2>
        <p class="hint">{props.about}</p>
      </div>
      <div class="section-body stack">{props.children}</div>
    </section>
  )
}

export function SectionPart(props: {
  title: string
  about: string
  buttons: JSX.Element
  children: JSX.Element
}): JSX.Element {
  return (
    <div class="part stack">
      <div class="part-line line">
        <div>
          <h3>{props.title}</h3>
          <p class="hint">{props.about}</p>
        </div>
        <div class="line">{props.buttons}</div>
      </div>
      {props.children}
    </div>
  )
}
