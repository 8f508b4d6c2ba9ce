// One block of the list: a summary, and its fields when it's open.
import { createMemo, createUniqueId, type JSX, onMount, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { kindOf } from '../block-kinds/block-kinds.ts'
import { countOf } from '../lib/format.ts'
import { IconButton } from '../ui/button.tsx'
import { icon } from '../ui/icons.tsx'
import { IconCopy, IconGrip, IconQuestion, IconTrash } from '../ui/page-icons.tsx'
import type { Sortable } from '../ui/sortable.ts'
import { blockName } from './block-editing.ts'
import { ID_FIELD } from './block-fields.ts'
import { summaryOf } from './block-summary.ts'
import { useBuilder } from './builder.ts'
import { getIn } from './card-value.ts'
import { FieldSet } from './controls.tsx'
import { problemWords } from './problem-words.ts'

/** `help`: the id of the element that explains the arrow keys. */
export function BlockRow(props: {
  key: number
  index: number
  sortable: Sortable<number>
  help: string
}): JSX.Element {
  const builder = useBuilder()
  const body = createUniqueId()
  const block = () => builder.blockOf(props.key)
  const kind = createMemo(() => kindOf(getIn(block(), ['type'])))
  const picture = () => {
    const path = kind()?.icon
    return path ? icon(path) : IconQuestion
  }
  const isOpen = () => builder.openKey() === props.key
  let row: HTMLLIElement | undefined

  onMount(() => {
    if (builder.addedKey() !== props.key || !row) return
    const field = row.querySelector<HTMLElement>('.block-fields :is(input, textarea, select)')
    ;(field ?? row.querySelector<HTMLElement>('.row-open'))?.focus({ preventScroll: true })
    // Typing replaces the sample.
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select()
    row.scrollIntoView({ block: 'nearest' })
  })

  return (
    <li
      class="block-row"
      classList={{ 'block-row-open': isOpen(), 'row-dragged': props.sortable.isDragged(props.key) }}
      data-path={`blocks[${props.index}]`}
      style={props.sortable.rowStyle(props.key)}
      ref={row}
    >
      <div class="block-row-head">
        <button
          type="button"
          class="grip"
          aria-label={`Move ${blockName(block())}, ${props.index + 1} of ${builder.keys().length}`}
          aria-describedby={props.help}
          title="Drag, or use the arrow keys"
          {...props.sortable.handle(props.key)}
        >
          <IconGrip />
        </button>
        <button
          type="button"
          class="row-open across"
          aria-expanded={isOpen()}
          aria-controls={body}
          onClick={() => builder.setOpenKey(isOpen() ? undefined : props.key)}
        >
          <Dynamic component={picture()} />
          <span class="row-name">{blockName(block())}</span>
          <span class="cut row-summary">{summaryOf(block())}</span>
          <Show when={builder.problemsAt(['blocks', props.index]).length}>
            {count => (
              <span class="row-errors">
                <span class="dot" aria-hidden="true" />
                <span class="sr-only">{countOf(count(), 'error', 'errors')}</span>
              </span>
            )}
          </Show>
        </button>
        <RowTools name={blockName(block())} index={props.index} />
      </div>
      <Show when={isOpen()}>
        <div class="stack block-fields" id={body}>
          <Show when={kind()} keyed fallback={<Unknown index={props.index} />}>
            {kind => (
              <>
                <FieldSet path={['blocks', props.index]} fields={kind.fields} />
                <FieldSet path={['blocks', props.index]} fields={ID_FIELD} />
              </>
            )}
          </Show>
        </div>
      </Show>
    </li>
  )
}

function RowTools(props: { name: string; index: number }): JSX.Element {
  const builder = useBuilder()

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
      <IconButton
        aria-label={`Duplicate ${props.name}`}
        title="Duplicate"
        onClick={() => builder.duplicate(props.index)}
      >
        <IconCopy />
      </IconButton>
      <IconButton
        aria-label={`Delete ${props.name}`}
        title="Delete"
        onClick={event => remove(event.currentTarget)}
      >
        <IconTrash />
      </IconButton>
    </div>
  )
}

function Unknown(props: { index: number }): JSX.Element {
  const builder = useBuilder()
  return (
    <>
      <p class="hint">This isn’t a block type. Correct it in the JSON, or delete it.</p>
      <Show when={builder.problemsAt(['blocks', props.index])[0]}>
        {problem => <p class="form-error">{problemWords(problem())}</p>}
      </Show>
    </>
  )
}
