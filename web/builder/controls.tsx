// The controls of single fields: a line, lines, a number, one of a few, on or off.
import { createMemo, createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import { fieldName, type Path } from '../../shared/invalid.ts'
import { BUTTON_FIELDS, type FieldSpec } from './block-fields.ts'
import { useBuilder } from './builder.ts'
import { ButtonsField } from './buttons-field.tsx'
import { getIn } from './card-value.ts'
import { Errors, FieldFrame, type FieldProps, shownText, useErrors } from './field.tsx'
import { ChosenField, ChosenManyField, OptionsField } from './options-field.tsx'
import { RowsField } from './rows-field.tsx'

const ID: FieldSpec = { kind: 'line', label: 'Button id', optional: true, half: true }
const { label, style, confirm, disabled } = BUTTON_FIELDS
const ONE_BUTTON = { label, style, id: ID, confirm, disabled }

/** All fields of a thing at `path`; what is on or off stands together at the end. */
export function FieldSet(props: { path: Path; fields: Record<string, FieldSpec> }): JSX.Element {
  const entries = () => Object.entries(props.fields)
  const flags = () => entries().filter(([, spec]) => spec.kind === 'flag')
  const others = () => entries().filter(([, spec]) => spec.kind !== 'flag')
  return (
    <>
      <div class="fields">
        <For each={others()}>{([name, spec]) => <OneField path={[...props.path, name]} spec={spec} />}</For>
      </div>
      <Show when={flags().length > 0}>
        <div class="flags">
          <For each={flags()}>{([name, spec]) => <FlagField path={[...props.path, name]} spec={spec} />}</For>
        </div>
      </Show>
    </>
  )
}

function OneField(props: FieldProps): JSX.Element {
  const choice = () => (props.spec.kind === 'choice' ? props.spec : undefined)
  const is = (kind: FieldSpec['kind']) => props.spec.kind === kind
  return (
    <Switch fallback={<TextField {...props} />}>
      <Match when={choice()}>{spec => <ChoiceField path={props.path} spec={spec()} />}</Match>
      <Match when={is('rows')}>
        <RowsField {...props} />
      </Match>
      <Match when={is('buttons')}>
        <ButtonsField {...props} each={path => <FieldSet path={path} fields={ONE_BUTTON} />} />
      </Match>
      <Match when={is('options')}>
        <OptionsField {...props} />
      </Match>
      <Match when={is('chosen')}>
        <ChosenField {...props} />
      </Match>
      <Match when={is('chosen-many')}>
        <ChosenManyField {...props} />
      </Match>
    </Switch>
  )
}

function TextField(props: FieldProps): JSX.Element {
  const builder = useBuilder()
  const value = createMemo(() => shownText(getIn(builder.value(), props.path)))
  /** A line would lose the line breaks that are there. It stays what it is while somebody types. */
  const tall = createMemo<boolean>(
    before => before || props.spec.kind === 'lines' || value().includes('\n'),
    false,
  )

  function write(text: string): void {
    if (text === '' && props.spec.optional) return builder.edit(props.path, undefined)
    // What is no number is left to the API's words.
    const number = props.spec.kind === 'count' && /^-?\d+(\.\d+)?$/.test(text.trim())
    builder.edit(props.path, number ? Number(text) : text)
  }

  return (
    <FieldFrame {...props}>
      {ids => (
        <Show
          when={tall()}
          fallback={
            <input
              id={ids.id}
              type="text"
              inputmode={props.spec.kind === 'count' ? 'numeric' : undefined}
              autocomplete="off"
              value={value()}
              aria-invalid={ids.invalid}
              aria-describedby={ids.describedBy}
              onInput={event => write(event.currentTarget.value)}
            />
          }
        >
          <textarea
            id={ids.id}
            rows={2}
            value={value()}
            aria-invalid={ids.invalid}
            aria-describedby={ids.describedBy}
            onInput={event => write(event.currentTarget.value)}
          />
        </Show>
      )}
    </FieldFrame>
  )
}

type ChoiceSpec = Extract<FieldSpec, { kind: 'choice' }>

function ChoiceField(props: { path: Path; spec: ChoiceSpec }): JSX.Element {
  const builder = useBuilder()
  const value = createMemo(() => {
    const given = getIn(builder.value(), props.path)
    return given === undefined ? props.spec.otherwise : shownText(given)
  })
  return (
    <FieldFrame {...props}>
      {ids => (
        <select
          id={ids.id}
          aria-invalid={ids.invalid}
          aria-describedby={ids.describedBy}
          onChange={event => builder.edit(props.path, event.currentTarget.value)}
        >
          <Show when={!props.spec.of.includes(value())}>
            <option selected>{value()}</option>
          </Show>
          <For each={props.spec.of}>{name => <option selected={name === value()}>{name}</option>}</For>
        </select>
      )}
    </FieldFrame>
  )
}

export function FlagField(props: FieldProps): JSX.Element {
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
      <Errors id={id} words={errors()} />
    </div>
  )
}
