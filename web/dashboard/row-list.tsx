// Lists of the dashboard. A row keeps its element, and the focus inside it, when its data changes.
import { type Accessor, createMemo, For, type JSX, type Ref, Show } from 'solid-js'

type KeyedForProps<T> = {
  each: T[]
  fallback?: JSX.Element
  children: (item: Accessor<T>, index: Accessor<number>) => JSX.Element
}

/** `For` keyed by id, for items that are replaced when they change. */
export function KeyedFor<T extends { id: string }>(props: KeyedForProps<T>): JSX.Element {
  const items = createMemo(() => new Map(props.each.map(item => [item.id, item])))
  return (
    <For each={[...items().keys()]} fallback={props.fallback}>
      {(id, index) => <Show when={items().get(id)}>{item => props.children(item, index)}</Show>}
    </For>
  )
}

/** The list itself can take the focus when the focused button in it disappears. */
export function RowList<T extends { id: string }>(
  props: Omit<KeyedForProps<T>, 'fallback'> & {
    label: string
    empty?: string
    scrolls?: boolean
    sorting?: boolean
    ref?: Ref<HTMLUListElement>
  },
): JSX.Element {
  return (
    <ul
      class="rows box"
      classList={{ 'rows-many': props.scrolls, 'rows-sorting': props.sorting }}
      tabIndex={-1}
      ref={props.ref}
      aria-label={props.label}
    >
      <KeyedFor each={props.each} fallback={props.empty && <li class="row quiet">{props.empty}</li>}>
        {props.children}
      </KeyedFor>
    </ul>
  )
}
