// The rows of a key and value block. Enter in the last one begins another, Shift and Enter break a line.
import { createUniqueId, Index, type JSX } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { IconPlus, IconTrash } from '../ui/page-icons.tsx'
import { useBuilder } from './builder.ts'
import { asList, getIn, without } from './card-value.ts'
import { Errors, type FieldProps, shownText, useErrors } from './field.tsx'

export function RowsField(props: FieldProps): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const errors = useErrors(() => props.path)
  const rows = () => asList(getIn(builder.value(), props.path))
  let box: HTMLFieldSetElement | undefined

  function add(): void {
    builder.edit(props.path, [...rows(), { key: '', value: '' }])
    focusRow(rows().length - 1)
  }

  function remove(at: number): void {
    builder.edit(props.path, without(rows(), at))
    focusRow(Math.min(at, rows().length - 1))
  }

  function focusRow(at: number): void {
    const rowsShown = box?.querySelectorAll<HTMLElement>('.pair-key')
    const target = rowsShown?.[at] ?? box?.querySelector<HTMLElement>('.add-line')
    target?.focus()
  }

  function onKeyDown(event: KeyboardEvent, at: number): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    if (at === rows().length - 1) add()
    else focusRow(at + 1)
  }

  return (
    <fieldset class="field" ref={box} aria-describedby={id} data-path={fieldName(props.path)}>
      <legend>{props.spec.label}</legend>
      <Index each={rows()}>
        {(row, i) => (
          <div class="pair" data-path={fieldName([...props.path, i])}>
            <input
              class="pair-key"
              type="text"
              aria-label={`Key of row ${i + 1}`}
              placeholder="Key"
              autocomplete="off"
              value={shownText(getIn(row(), ['key']))}
              onInput={event => builder.edit([...props.path, i, 'key'], event.currentTarget.value)}
              onKeyDown={event => onKeyDown(event, i)}
            />
            <textarea
              rows={1}
              aria-label={`Value of row ${i + 1}`}
              placeholder="Value"
              autocomplete="off"
              value={shownText(getIn(row(), ['value']))}
              onInput={event => builder.edit([...props.path, i, 'value'], event.currentTarget.value)}
              onKeyDown={event => onKeyDown(event, i)}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove row ${i + 1}`}
              title="Remove"
              onClick={() => remove(i)}
            >
              <IconTrash />
            </button>
          </div>
        )}
      </Index>
      <button type="button" class="add-line" onClick={add}>
        <IconPlus /> Add a row
      </button>
      <Errors id={id} words={errors()} />
    </fieldset>
  )
}
