// The rows of a key and value block. Enter in the last row adds a row; Shift+Enter adds a line.
import type { JSX } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { onKey } from '../lib/on-key.ts'
import { growWith } from '../ui/grow-with.ts'
import { useBuilder } from './builder.ts'
import { asList, getIn } from './card-value.ts'
import { type BuilderFieldProps, textOf } from './field.tsx'
import { DeleteButton, ListField } from './list-field.tsx'

export function RowsField(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const rows = () => asList(getIn(builder.value(), props.path))
  let box: HTMLFieldSetElement | undefined

  function add(): void {
    builder.edit(props.path, [...rows(), { key: '', value: '' }])
    focusRow(rows().length - 1)
  }

  function remove(at: number): void {
    builder.edit(props.path, rows().toSpliced(at, 1))
    focusRow(Math.min(at, rows().length - 1))
  }

  function focusRow(at: number): void {
    const keys = box?.querySelectorAll<HTMLElement>('.pair-key')
    const target = keys?.[at] ?? box?.querySelector<HTMLElement>('.add-line')
    target?.focus()
  }

  function onKeyDown(event: KeyboardEvent, at: number): void {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (at === rows().length - 1) add()
    else focusRow(at + 1)
  }

  const cell = (row: unknown, at: number, field: 'key' | 'value', name: string) => ({
    'aria-label': `${name} of row ${at + 1}`,
    placeholder: name,
    autocomplete: 'off' as const,
    value: textOf(getIn(row, [field])),
    onInput: (event: { currentTarget: { value: string } }) =>
      builder.edit([...props.path, at, field], event.currentTarget.value),
    onKeyDown: onKey(event => onKeyDown(event, at)),
  })

  return (
    <ListField {...props} addLabel="Add a row" onAdd={add} ref={element => (box = element)}>
      {(row, i) => (
        <div class="pair" data-path={fieldName([...props.path, i])}>
          <input class="pair-key" {...cell(row(), i, 'key', 'Key')} />
          <textarea {...cell(row(), i, 'value', 'Value')} ref={area => growWith(area, row)} rows={1} />
          <DeleteButton item={`row ${i + 1}`} onClick={() => remove(i)} />
        </div>
      )}
    </ListField>
  )
}
