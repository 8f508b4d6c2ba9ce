// The controls of a block's fields, one for each kind of field.
import { type Component, createMemo, createUniqueId, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { fieldName, type Path } from '../../shared/invalid.ts'
import { BUTTON_FIELDS, type FieldSpec } from './block-fields.ts'
import { useBuilder } from './builder.ts'
import { ButtonsField } from './buttons-field.tsx'
import { getIn } from './card-value.ts'
import { Errors, FieldFrame, type FieldProps, textOf, useErrors } from './field.tsx'
import { ChosenField, ChosenManyField, OptionsField } from './options-field.tsx'
import { RowsField } from './rows-field.tsx'
import { DEFAULTS } from './strip-defaults.ts'

/** The fields of the object at `path`. Flags come last, in one line. */
export function FieldSet(props: { path: Path; fields: Record<string, FieldSpec> }): JSX.Element {
  const fields = (flags: boolean) =>
    Object.entries(props.fields).filter(([, { kind }]) => (kind === 'flag') === flags)
  const list = (flags: boolean) => (
    <For each={fields(flags)}>
      {([name, spec]) => <Dynamic component={CONTROLS[spec.kind]} path={[...props.path, name]} spec={spec} />}
    </For>
  )
  return (
    <>
      <div class="fields">{list(false)}</div>
      <Show when={fields(true).length > 0}>
        <div class="flags">{list(true)}</div>
      </Show>
    </>
  )
}

const CONTROLS: Record<FieldSpec['kind'], Component<FieldProps>> = {
  line: TextField,
  lines: TextField,
  count: TextField,
  flag: FlagField,
  choice: ChoiceField,
  rows: RowsField,
  buttons: props => (
    <ButtonsField {...props} fields={path => <FieldSet path={path} fields={BUTTON_FIELDS} />} />
  ),
  options: OptionsField,
  chosen: ChosenField,
  'chosen-many': ChosenManyField,
}

function TextField(props: FieldProps): JSX.Element {
  const builder = useBuilder()
  const value = createMemo(() => textOf(getIn(builder.value(), props.path)))
  /** An input would lose line breaks. A textarea stays, so that it keeps the focus. */
  const multiline = createMemo<boolean>(
    before => before || props.spec.kind === 'lines' || value().includes('\n'),
    false,
  )

  function write(text: string): void {
    if (text === '' && props.spec.optional) return builder.edit(props.path, undefined)
    // The API reports other text as an error.
    const isNumber = props.spec.kind === 'count' && /^-?\d+(\.\d+)?$/.test(text.trim())
    builder.edit(props.path, isNumber ? Number(text) : text)
  }

  return (
    <FieldFrame {...props}>
      {control => (
        <Dynamic
          component={multiline() ? 'textarea' : 'input'}
          {...control}
          rows={multiline() ? 2 : undefined}
          inputmode={props.spec.kind === 'count' ? 'numeric' : undefined}
          autocomplete="off"
          value={value()}
          onInput={(event: { currentTarget: { value: string } }) => write(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}

function ChoiceField(props: FieldProps): JSX.Element {
  const builder = useBuilder()
  const value = createMemo(() => {
    const given = getIn(builder.value(), props.path)
    return textOf(given === undefined ? DEFAULTS[String(props.path.at(-1))] : given)
  })
  return (
    <FieldFrame {...props}>
      {control => (
        <select {...control} onChange={event => builder.edit(props.path, event.currentTarget.value)}>
          <Show when={!props.spec.of?.includes(value())}>
            <option selected>{value()}</option>
          </Show>
          <For each={props.spec.of}>{name => <option selected={name === value()}>{name}</option>}</For>
        </select>
      )}
    </FieldFrame>
  )
}

function FlagField(props: FieldProps): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const errors = useErrors(() => props.path)
  return (
    <div class="field flag" data-path={fieldName(props.path)}>
      <label class="flag-line">
        <input
          type="checkbox"
          checked={getIn(builder.value(), props.path) === true}
          aria-describedby={id}
          aria-invalid={errors().length > 0 ? 'true' : undefined}
          onChange={event => builder.edit(props.path, event.currentTarget.checked)}
        />
        {props.spec.label}
      </label>
      <Errors id={id} errors={errors()} />
    </div>
  )
}
