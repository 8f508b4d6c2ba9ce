// The options of a select or multiselect block, and its chosen options.
import { createUniqueId, Index, type JSX } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { Legend } from '../ui/legend.tsx'
import { asList } from './card-value.ts'
import { type BuilderFieldProps, Errors, useErrors } from './field.tsx'
import { DeleteButton, ListField } from './list-field.tsx'
import { asOption, createOptionEditing, useOptions } from './options.ts'
import { BuilderSelect } from './select-field.tsx'

export function OptionsField(props: BuilderFieldProps): JSX.Element {
  const editing = createOptionEditing(props)
  let box: HTMLFieldSetElement | undefined

  function focusOption(at: number): void {
    const control = box?.querySelectorAll<HTMLInputElement>('.pair-key')[at]
    control?.focus()
    control?.select()
  }

  function add(): void {
    editing.add()
    focusOption(editing.options().length - 1)
  }

  function remove(at: number): void {
    editing.remove(at)
    focusOption(Math.min(at, editing.options().length - 1))
  }

  return (
    <ListField
      {...props}
      addLabel="Add an option"
      onAdd={add}
      head={
        <div class="pair pair-option pair-head fine" aria-hidden="true">
          <span>Label</span>
          <span>Value that is sent</span>
        </div>
      }
      ref={element => (box = element)}
    >
      {(given, i) => {
        const option = () => asOption(given())
        return (
          <div
            class="pair pair-option"
            data-path={fieldName([...props.path, i])}
            onFocusIn={() => editing.rememberChoice(i)}
          >
            <input
              class="pair-key"
              aria-label={`Label of option ${i + 1}`}
              placeholder="Label"
              autocomplete="off"
              value={option().label}
              onInput={event => editing.rename(i, event.currentTarget.value)}
            />
            <input
              aria-label={`Value of option ${i + 1}`}
              placeholder="Value"
              autocomplete="off"
              value={option().value}
              onInput={event => editing.change(i, { ...option(), value: event.currentTarget.value })}
            />
            <DeleteButton item={`option ${i + 1}`} onClick={() => remove(i)} />
          </div>
        )
      }}
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
