// One section of a settings page: its title and description on the left, its settings on the right.
import { type JSX, Show } from 'solid-js'
import './section.css'

export type SectionProps = { title: string; about?: JSX.Element; children: JSX.Element; danger?: boolean }

export function Section(props: SectionProps): JSX.Element {
  return (
    <section class="section" classList={{ 'section-danger': props.danger }} aria-label={props.title}>
      <div class="section-head">
        <h2>{props.title}</h2>
        <Show when={props.about}>
          <p class="hint">{props.about}</p>
        </Show>
      </div>
      <div class="section-body stack">{props.children}</div>
    </section>
  )
}

export type SectionPartProps = {
  title: string
  about: string
  buttons: JSX.Element
  children: JSX.Element
}

/** A part of a section with buttons beside its title. */
export function SectionPart(props: SectionPartProps): JSX.Element {
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
