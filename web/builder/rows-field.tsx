// The rows of a key and value block. Enter in the last row adds a row; Shift+Enter adds a line.
import type { JSX } from 'solid-js'
import { onKey } from '../lib/on-key.ts'
import { growWith } from '../ui/grow-with.ts'
import { useBuilder } from './builder.ts'
import { asList, getIn } from './card-value.ts'
import { type BuilderFieldProps, textOf } from './field.tsx'
import { ListField, type ListRow } from './list-field.tsx'

export function RowsField(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const rows = () => asList(getIn(builder.value(), props.path))

  function onKeyDown(event: KeyboardEvent, { index, add, focus }: ListRow): void {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (index() === rows().length - 1) add()
    else focus(index() + 1)
  }

  const control = (row: ListRow, field: 'key' | 'value', name: string) => ({
    ...row.cell(field),
    'aria-label': `${name} of row ${row.index() + 1}`,
    placeholder: name,
    autocomplete: 'off' as const,
    value: textOf(getIn(row.item(), [field])),
    onInput: (event: { currentTarget: { value: string } }) =>
      builder.edit([...props.path, row.index(), field], event.currentTarget.value),
    onKeyDown: onKey(event => onKeyDown(event, row)),
  })

  return (
    <ListField
      {...props}
      addLabel="Add a row"
      nameOf={(_, at) => `row ${at + 1}`}
      cells={['key', 'value']}
      onAdd={() => builder.edit(props.path, [...rows(), { key: '', value: '' }])}
    >
      {row => (
        <>
          <div class="list-cells">
            <input {...control(row, 'key', 'Key')} />
            <textarea {...control(row, 'value', 'Value')} ref={area => growWith(area, row.item)} rows={1} />
          </div>
          {row.deleteButton()}
        </>
      )}
    </ListField>
  )
}
