// The controls of a block's fields, one for each kind of field.
import { type Component, createMemo, createUniqueId, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { fieldName, type Path } from '../../shared/invalid.ts'
import type { FieldSpec } from '../block-kinds/field-spec.ts'
import { growWith } from '../ui/grow-with.ts'
import { BUTTON_FIELDS, CHOICE_FIELDS } from './block-fields.ts'
import { useBuilder } from './builder.ts'
import { ButtonsField } from './buttons-field.tsx'
import { getIn } from './card-value.ts'
import { type BuilderFieldProps, Errors, FieldFrame, textOf, useErrors } from './field.tsx'
import { ChosenField, ChosenManyField, OptionsField } from './options-field.tsx'
import { QuestionField } from './question-field.tsx'
import { ApprovesField, DeadlineField, WhoField } from './question-settings.tsx'
import { RowsField } from './rows-field.tsx'
import { BuilderSelect, type Choice } from './select-field.tsx'
import { defaultAt } from './strip-defaults.ts'

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

const CONTROLS: Record<FieldSpec['kind'], Component<BuilderFieldProps>> = {
  line: TextField,
  lines: TextField,
  count: TextField,
  flag: FlagField,
  choice: ChoiceField,
  rows: RowsField,
  buttons: props => <Buttons {...props} />,
  question: props => (
    <QuestionField {...props} fields={fields => <FieldSet path={props.path} fields={fields} />} />
  ),
  who: WhoField,
  deadline: DeadlineField,
  approves: ApprovesField,
  options: OptionsField,
  chosen: ChosenField,
  'chosen-many': ChosenManyField,
}

function Buttons(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const question = () => getIn(builder.value(), [...props.path.slice(0, -1), 'decision'])
  const fields = createMemo(() => ((question() ?? null) === null ? BUTTON_FIELDS : CHOICE_FIELDS))
  return <ButtonsField {...props} more={path => <FieldSet path={path} fields={fields()} />} />
}

function TextField(props: BuilderFieldProps): JSX.Element {
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

  function follow(control: HTMLInputElement | HTMLTextAreaElement): void {
    if (control instanceof HTMLTextAreaElement) growWith(control, value)
  }

  return (
    <FieldFrame {...props}>
      {control => (
        <Dynamic
          component={multiline() ? 'textarea' : 'input'}
          {...control}
          ref={follow}
          inputmode={props.spec.kind === 'count' ? 'numeric' : undefined}
          autocomplete="off"
          value={value()}
          onInput={(event: { currentTarget: { value: string } }) => write(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}

function ChoiceField(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const value = () => getIn(builder.value(), props.path) ?? defaultAt(props.path)
  const choices = (): Choice[] => {
    const names = Object.entries(props.spec.names ?? {})
    return names.map(([name, label]) => ({ value: name === '' ? undefined : name, label }))
  }
  return (
    <BuilderSelect
      {...props}
      choices={choices()}
      value={value()}
      onSelect={chosen => builder.edit(props.path, chosen)}
    />
  )
}

function FlagField(props: BuilderFieldProps): JSX.Element {
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
