// One section of a settings page: its title and description, then its settings.
import type { JSX } from 'solid-js'
import { anchorOf } from './anchor.ts'
import { joinSections } from './settings-sections.tsx'
import './section.css'

export function Section(props: { title: string; about?: string; children: JSX.Element }): JSX.Element {
  const id = anchorOf(props.title)
  joinSections({ id, title: props.title })
  return (
    <section class="section" id={id} tabIndex={-1} aria-label={props.title}>
      <h2>{props.title}</h2>
      <p class="section-about">{props.about}</p>
      <div class="section-body stack">{props.children}</div>
    </section>
  )
}

/** A line of a section with its own buttons, and what they show below it. */
export function SectionPart(props: {
  title: string
  about: string
  danger?: boolean
  buttons: JSX.Element
  children?: JSX.Element
}): JSX.Element {
  return (
    <div class="part box" classList={{ 'part-danger': props.danger }}>
      <div class="part-line line">
        <div>
          <h3>{props.title}</h3>
          <p class="hint">{props.about}</p>
        </div>
        <div class="line">{props.buttons}</div>
      </div>
      <div class="part-more stack">{props.children}</div>
    </div>
  )
}
