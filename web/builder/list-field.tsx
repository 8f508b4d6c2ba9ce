// A field that is a list. People add and delete its rows, and move them by a handle.
import { createMemo, createUniqueId, For, type JSX, Show } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { IconButton } from '../ui/button.tsx'
import { Legend } from '../ui/legend.tsx'
import { IconGrip, IconPlus, IconTrash } from '../ui/page-icons.tsx'
import { createSortable, type Sortable } from '../ui/sortable.ts'
import { useBuilder } from './builder.ts'
import { asList, getIn } from './card-value.ts'
import { newKey } from './composition.ts'
import { type BuilderFieldProps, Errors } from './field.tsx'
import { type KeyedItems, keyItems } from './item-keys.ts'
import { problemWords } from './problem-words.ts'
import './list-field.css'

type ListFieldProps = BuilderFieldProps & {
  addLabel: string
  /** What people call an item. */
  nameOf: (item: unknown, at: number) => string
  /** The fields of an item that stand in its row. */
  cells: string[]
  onAdd: () => void
  /** Instead of only deleting the item. */
  onRemove?: (at: number) => void
  hideLabel?: boolean
  head?: JSX.Element
  children: (row: ListRow) => JSX.Element
}

export type ListRow = {
  item: () => unknown
  index: () => number
  name: () => string
  /** Attributes of the control of a field in the row. */
  cell: (field: string) => {
    'data-path': string
    'aria-describedby': string
    'aria-invalid': 'true' | undefined
  }
  deleteButton: () => JSX.Element
  /** Focuses the first control of the row at an index, or the button that adds a row. */
  focus: (at: number) => void
  add: () => void
}

export function ListField(props: ListFieldProps): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const help = createUniqueId()
  const items = () => asList(getIn(builder.value(), props.path))
  const keyed = createMemo<KeyedItems>(before => keyItems(before, items(), newKey), { items: [], keys: [] })
  const indexOf = (key: number) => keyed().keys.indexOf(key)
  const itemOf = (key: number) => keyed().items[indexOf(key)]
  const nameOf = (key: number) => props.nameOf(itemOf(key), indexOf(key))
  let box: HTMLFieldSetElement | undefined
  let list: HTMLOListElement | undefined
  const sortable = createSortable({
    ids: () => keyed().keys,
    nameOf,
    list: () => list,
    onOrder: order => builder.edit(props.path, order.map(itemOf)),
  })
  /** The rows show the errors of their items. */
  const errors = () => builder.problemsAt(props.path).filter(({ path }) => path.length === props.path.length)

  function focus(at: number): void {
    const control = list?.children[at]?.querySelector<HTMLElement>('.list-cells :is(input, textarea)')
    const target = control ?? box?.querySelector<HTMLElement>('.add-line')
    target?.focus()
    if (target instanceof HTMLInputElement) target.select()
  }

  function add(): void {
    props.onAdd()
    focus(items().length - 1)
  }

  function remove(at: number): void {
    if (props.onRemove) props.onRemove(at)
    else builder.edit(props.path, items().toSpliced(at, 1))
    focus(Math.min(at, items().length - 1))
  }

  return (
    <fieldset class="field" ref={box} aria-describedby={id} data-path={fieldName(props.path)}>
      <Legend hidden={props.hideLabel}>{props.spec.label}</Legend>
      <Show when={items().length > 0}>{props.head}</Show>
      <ol class="list-rows" classList={{ 'rows-sorting': keyed().keys.some(sortable.isDragged) }} ref={list}>
        <For each={keyed().keys}>
          {(key, index) => (
            <Row
              {...props}
              key={key}
              help={help}
              sortable={sortable}
              item={() => itemOf(key)}
              index={index}
              focus={focus}
              add={add}
              onDelete={() => remove(index())}
            />
          )}
        </For>
      </ol>
      <p class="sr-only" id={help}>
        Arrow up and arrow down move it.
      </p>
      <p class="sr-only" aria-live="assertive">
        {sortable.announced()}
      </p>
      <button type="button" class="add-line" onClick={add}>
        <IconPlus /> {props.addLabel}
      </button>
      <Errors id={id} errors={errors().map(problemWords)} />
    </fieldset>
  )
}

function Row(
  props: ListFieldProps &
    Pick<ListRow, 'item' | 'index' | 'focus' | 'add'> & {
      key: number
      help: string
      sortable: Sortable<number>
      onDelete: () => void
    },
): JSX.Element {
  const builder = useBuilder()
  const notes = createUniqueId()
  const { item, index, focus, add } = props
  const path = () => [...props.path, index()]
  const name = () => props.nameOf(item(), index())
  const count = () => asList(getIn(builder.value(), props.path)).length
  /** Of the item as a whole and of the fields in the row. */
  const problems = (cells: string[]) =>
    builder.problemsAt(path()).filter(problem => {
      const field = problem.path[path().length]
      return field === undefined || cells.includes(String(field))
    })
  const cell: ListRow['cell'] = field => ({
    get 'data-path'() {
      return fieldName([...path(), field])
    },
    'aria-describedby': notes,
    get 'aria-invalid'() {
      return problems([field]).length > 0 ? ('true' as const) : undefined
    },
  })
  const deleteButton = () => (
    <IconButton
      class="icon-button list-delete"
      aria-label={`Delete ${name()}`}
      title="Delete"
      onClick={() => props.onDelete()}
    >
      <IconTrash />
    </IconButton>
  )
  return (
    <li
      class="list-row"
      classList={{ 'row-dragged': props.sortable.isDragged(props.key) }}
      style={props.sortable.rowStyle(props.key)}
      data-path={fieldName(path())}
    >
      <button
        type="button"
        class="grip"
        aria-label={`Move ${name()}, ${index() + 1} of ${count()}`}
        aria-describedby={props.help}
        title="Drag, or use the arrow keys"
        {...props.sortable.handle(props.key)}
      >
        <IconGrip />
      </button>
      {props.children({ item, index, name, cell, deleteButton, focus, add })}
      <div class="list-notes">
        <Errors id={notes} errors={problems(props.cells).map(problemWords)} />
      </div>
    </li>
  )
}
