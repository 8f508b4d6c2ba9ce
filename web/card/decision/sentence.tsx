// A sentence with names in it. Each name keeps its own direction of writing.
import { For } from 'solid-js'
import type { Words } from '../../data/outbox/press-text.ts'

export function Sentence(props: { words: Words }) {
  return (
    <For each={props.words}>
      {part => (typeof part === 'string' ? part : <bdi class="name">{part.name}</bdi>)}
    </For>
  )
}
