// Tabs (ARIA): the arrow keys, Home and End select, and Tab leads to the selected one.
import type { JSX } from 'solid-js'
import { onKey } from '../lib/on-key.ts'
import { isAlone, keyAsLtr, stepTo } from './arrow-keys.ts'
import './tabs.css'

export function TabList<Name extends string>(props: {
  class: string
  label: string
  names: readonly Name[]
  selected: Name | undefined
  idOf: (name: Name) => string
  onStep: (name: Name) => void
  children: JSX.Element
}): JSX.Element {
  function onKeyDown(event: KeyboardEvent): void {
    if (!isAlone(event)) return
    const at = props.selected === undefined ? -1 : props.names.indexOf(props.selected)
    const next = stepTo(keyAsLtr(event), at, props.names.length, ['ArrowRight', 'ArrowLeft'])
    const name = next === undefined ? undefined : props.names[next]
    if (name === undefined) return
    event.preventDefault()
    props.onStep(name)
    document.getElementById(props.idOf(name))?.focus()
  }

  return (
    <div class={props.class} role="tablist" aria-label={props.label} onKeyDown={onKey(onKeyDown)}>
      {props.children}
    </div>
  )
}

export function Tab(props: {
  id: string
  classList?: Record<string, boolean>
  title?: string
  label?: string
  controls: string
  selected: boolean
  onSelect: () => void
  children: JSX.Element
}): JSX.Element {
  return (
    <button
      type="button"
      role="tab"
      id={props.id}
      class="tab across"
      classList={props.classList}
      title={props.title}
      aria-label={props.label}
      aria-selected={props.selected}
      aria-controls={props.controls}
      tabIndex={props.selected ? 0 : -1}
      onClick={() => props.onSelect()}
    >
      {props.children}
    </button>
  )
}
