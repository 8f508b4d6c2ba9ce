// The options of a select or multiselect block, and its chosen options.
import { createUniqueId, Index, type JSX } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { Legend } from '../ui/legend.tsx'
import { asList } from './card-value.ts'
import { type BuilderFieldProps, Errors, useErrors } from './field.tsx'
import { ListField, type ListRow } from './list-field.tsx'
import { asOption, createOptionEditing, useOptions } from './options.ts'
import { BuilderSelect } from './select-field.tsx'

export function OptionsField(props: BuilderFieldProps): JSX.Element {
  const { add, remove, rememberChoice, rename, change } = createOptionEditing(props)
  const textControl = (row: ListRow, field: 'label' | 'value', name: string) => ({
    ...row.cell(field),
    'aria-label': `${name} of option ${row.index() + 1}`,
    placeholder: name,
    autocomplete: 'off' as const,
    value: asOption(row.item())[field],
  })

  return (
    <ListField
      {...props}
      addLabel="Add an option"
      nameOf={(_, at) => `option ${at + 1}`}
      cells={['label', 'value']}
      onAdd={add}
      onRemove={remove}
      head={
        <div class="list-head list-cells-label fine" aria-hidden="true">
          <span>Label</span>
          <span>Value that is sent</span>
        </div>
      }
    >
      {row => (
        <>
          <div class="list-cells list-cells-label" onFocusIn={() => rememberChoice(row.index())}>
            <input
              {...textControl(row, 'label', 'Label')}
              onInput={event => rename(row.index(), event.currentTarget.value)}
            />
            <input
              {...textControl(row, 'value', 'Value')}
              onInput={event =>
                change(row.index(), { ...asOption(row.item()), value: event.currentTarget.value })
              }
            />
          </div>
          {row.deleteButton()}
        </>
      )}
    </ListField>
  )
}

export function ChosenField(props: BuilderFieldProps): JSX.Element {
  const { builder, options, value } = useOptions(props)
  return (
    <BuilderSelect
      {...props}
      choices={[{ value: null, label: 'None' }, ...options()]}
      value={value() ?? null}
      onSelect={chosen => builder.edit(props.path, chosen ?? undefined)}
    />
  )
}

export function ChosenManyField(props: BuilderFieldProps): JSX.Element {
  const { builder, options, value } = useOptions(props)
  const id = createUniqueId()
  const errors = useErrors(() => props.path)

  function toggle(option: string): void {
    const chosen = new Set(asList(value()))
    if (!chosen.delete(option)) chosen.add(option)
    // An unknown value stays, because the API reports it.
    const values = options().map(({ value }) => value)
    const unknown = [...chosen].filter(one => !values.some(known => known === one))
    const list = [...values.filter(one => chosen.has(one)), ...unknown]
    builder.edit(props.path, list.length === 0 ? undefined : list)
  }

  return (
    <fieldset class="field" aria-describedby={id} data-path={fieldName(props.path)}>
      <Legend>{props.spec.label}</Legend>
      <div class="flags">
        <Index each={options()}>
          {option => (
            <label class="flag-line">
              <input
                type="checkbox"
                checked={asList(value()).includes(option().value)}
                onChange={() => toggle(option().value)}
              />
              {option().label}
            </label>
          )}
        </Index>
      </div>
      <Errors id={id} errors={errors()} />
    </fieldset>
  )
}
