// The rows of a list, each for one thing: a row stays, with the focus that is in it, when what it shows changes.
import { type Accessor, createMemo, For, type JSX, Show } from 'solid-js'

export type ByIdProps<T> = {
  each: T[]
  /** What stands there where there are none. */
  fallback?: JSX.Element
  children: (thing: Accessor<T>, index: Accessor<number>) => JSX.Element
}

export function ById<T extends { id: string }>(props: ByIdProps<T>): JSX.Element {
  const things = createMemo(() => new Map(props.each.map(thing => [thing.id, thing])))
  return (
    <For each={[...things().keys()]} fallback={props.fallback}>
      {(id, index) => <Show when={things().get(id)}>{thing => props.children(thing, index)}</Show>}
    </For>
  )
}
