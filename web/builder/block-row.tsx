// One block of the list: a line that sums it up, and, when open, its fields.
import { createUniqueId, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { countOf } from '../lib/format.ts'
import { IconCopy, IconGrip, IconTrash } from '../ui/page-icons.tsx'
import type { Sortable } from '../ui/sortable.ts'
import { nameOf } from './block-editing.ts'
import { kindOf } from './block-examples.ts'
import { BLOCK_FIELDS, ID_FIELD } from './block-fields.ts'
import { summaryOf } from './block-summary.ts'
import { useBuilder } from './builder.ts'
import { isFields } from './card-value.ts'
import { FieldSet } from './controls.tsx'
import { BLOCK_ICONS, IconUnknown } from './icons.tsx'

export type BlockRowProps = {
  key: number
  index: number
  sortable: Sortable<number>
  /** The id of the element that explains the keys of a grip. */
  help: string
}

export function BlockRow(props: BlockRowProps): JSX.Element {
  const builder = useBuilder()
  const body = createUniqueId()
  const block = () => builder.blockOf(props.key)
  const type = () => {
    const now = block()
    return isFields(now) ? kindOf(now.type)?.type : undefined
  }
  const isOpen = () => builder.openKey() === props.key
  let row: HTMLLIElement | undefined

  onMount(() => {
    if (builder.addedKey() !== props.key || !row) return
    const field = row.querySelector<HTMLElement>('.block-fields :is(input, textarea, select)')
    const target = field ?? row.querySelector<HTMLElement>('.row-open')
    target?.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  })

  return (
    <li
      class="block-row"
      classList={{ 'block-row-open': isOpen(), 'block-row-dragged': props.sortable.isDragged(props.key) }}
      data-path={`blocks[${props.index}]`}
      style={props.sortable.rowStyle(props.key)}
      ref={row}
    >
      <div class="block-row-head">
        <button
          type="button"
          class="grip"
          aria-label={`Move ${nameOf(block())}, ${props.index + 1} of ${builder.keys().length}`}
          aria-describedby={props.help}
          title="Drag, or use the arrow keys"
          {...props.sortable.handle(props.key)}
        >
          <IconGrip />
        </button>
        <button
          type="button"
          class="row-open"
          aria-expanded={isOpen()}
          aria-controls={body}
          onClick={() => builder.setOpenKey(isOpen() ? undefined : props.key)}
        >
          <Show when={type()} fallback={<IconUnknown />}>
            {type => <Dynamic component={BLOCK_ICONS[type()]} />}
          </Show>
          <span class="row-name">{nameOf(block())}</span>
          <span class="row-summary">{summaryOf(block())}</span>
          <ErrorMark count={builder.problemsAt(['blocks', props.index]).length} />
        </button>
        <RowTools name={nameOf(block())} index={props.index} />
      </div>
      <Show when={isOpen()}>
        <div class="block-fields" id={body}>
          <Switch fallback={<Unknown index={props.index} />}>
            <Match when={type()} keyed>
              {type => (
                <>
                  <FieldSet path={['blocks', props.index]} fields={BLOCK_FIELDS[type]} />
                  <FieldSet path={['blocks', props.index]} fields={ID_FIELD} />
                </>
              )}
            </Match>
          </Switch>
        </div>
      </Show>
    </li>
  )
}

function ErrorMark(props: { count: number }): JSX.Element {
  return (
    <Show when={props.count > 0}>
      <span class="row-errors">
        <span class="dot" aria-hidden="true" />
        <span class="sr-only">{countOf(props.count, 'error', 'errors')}</span>
      </span>
    </Show>
  )
}

function RowTools(props: { name: string; index: number }): JSX.Element {
  const builder = useBuilder()

  /** The focus goes to a neighbour. */
  function remove(button: HTMLElement): void {
    const row = button.closest('li')
    const list = row?.closest('fieldset')
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
    builder.remove(props.index)
    const target = neighbour?.querySelector('.row-open') ?? list?.querySelector('.add-block button')
    if (target instanceof HTMLElement) target.focus()
  }

  return (
    <div class="row-tools">
      <button
        type="button"
        class="icon-button"
        aria-label={`Duplicate ${props.name}`}
        title="Duplicate"
        onClick={() => builder.duplicate(props.index)}
      >
        <IconCopy />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Delete ${props.name}`}
        title="Delete"
        onClick={event => remove(event.currentTarget)}
      >
        <IconTrash />
      </button>
    </div>
  )
}

function Unknown(props: { index: number }): JSX.Element {
  const builder = useBuilder()
  return (
    <>
      <p class="hint">This isn't a block type. Correct it in the JSON, or delete it.</p>
      <Show when={builder.problemsAt(['blocks', props.index])[0]}>
        {problem => <p class="form-error">{problem().message}</p>}
      </Show>
    </>
  )
}
