// The options of a select or multiselect, and which of them are chosen. An option whose value is its label is written
// as a plain string.
import { createUniqueId, For, Index, type JSX, Show } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { IconPlus, IconTrash } from '../ui/page-icons.tsx'
import { useBuilder } from './builder.ts'
import { asList, getIn, isFields, setIn, without } from './card-value.ts'
import { Errors, FieldFrame, type FieldProps, shownText, useErrors } from './field.tsx'

type Choice = { value: string; label: string }

function asChoice(option: unknown): Choice {
  if (!isFields(option)) return { value: shownText(option), label: shownText(option) }
  return { value: shownText(option.value), label: shownText(option.label) }
}

const written = ({ value, label }: Choice) => (value === label ? label : { value, label })

function useChoices(props: FieldProps) {
  const builder = useBuilder()
  const block = () => props.path.slice(0, -1)
  return {
    builder,
    block,
    options: () => asList(getIn(builder.value(), [...block(), 'options'])),
    chosen: () => getIn(builder.value(), [...block(), 'value']),
  }
}

export function OptionsField(props: FieldProps): JSX.Element {
  const { builder, block, options, chosen } = useChoices(props)
  const id = createUniqueId()
  const errors = useErrors(() => props.path)
  let box: HTMLFieldSetElement | undefined
  /** Where the value of the option that has the focus stands among the chosen ones; -1 where it is not chosen. */
  let held = -1

  /** Before it is written: on the way to another name its value may be that of another option. */
  function hold(at: number): void {
    const { value } = asChoice(options()[at])
    const now = chosen()
    held = Array.isArray(now) ? now.indexOf(value) : now === value ? 0 : -1
  }

  /** What was chosen stays chosen when its value gets another name. */
  function write(at: number, next: Choice): void {
    const renamed = setIn(getIn(builder.value(), block()), ['options', at], written(next))
    const now = chosen()
    const value = Array.isArray(now) ? now.map((one, i) => (i === held ? next.value : one)) : next.value
    builder.edit(block(), held < 0 ? renamed : setIn(renamed, ['value'], value))
  }

  function rename(at: number, label: string): void {
    const before = asChoice(options()[at])
    write(at, { label, value: before.value === before.label ? label : before.value })
  }

  function remove(at: number): void {
    const { value } = asChoice(options()[at])
    const whole = setIn(getIn(builder.value(), block()), ['options'], without(options(), at))
    const now = chosen()
    const left = Array.isArray(now) ? now.filter(one => one !== value) : now === value ? undefined : now
    builder.edit(block(), setIn(whole, ['value'], left))
    focusOption(Math.min(at, options().length - 1))
  }

  function add(): void {
    const labels = options().map(option => asChoice(option).label)
    let n = options().length + 1
    while (labels.includes(`Option ${n}`)) n++
    builder.edit(props.path, [...options(), `Option ${n}`])
    focusOption(options().length - 1)
  }

  function focusOption(at: number): void {
    const control = box?.querySelectorAll<HTMLInputElement>('.pair-key')[at]
    control?.focus()
    control?.select()
  }

  return (
    <fieldset class="field" ref={box} aria-describedby={id} data-path={fieldName(props.path)}>
      <legend>{props.spec.label}</legend>
      <div class="pair pair-option pair-head" aria-hidden="true">
        <span>Label</span>
        <span>Value that is sent</span>
      </div>
      <Index each={options()}>
        {(option, i) => (
          <div class="pair pair-option" data-path={fieldName([...props.path, i])} onFocusIn={() => hold(i)}>
            <input
              class="pair-key"
              type="text"
              aria-label={`Label of option ${i + 1}`}
              placeholder="Label"
              autocomplete="off"
              value={asChoice(option()).label}
              onInput={event => rename(i, event.currentTarget.value)}
            />
            <input
              type="text"
              aria-label={`Value of option ${i + 1}`}
              placeholder="Value"
              autocomplete="off"
              value={asChoice(option()).value}
              onInput={event => write(i, { ...asChoice(option()), value: event.currentTarget.value })}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove option ${i + 1}`}
              title="Remove"
              onClick={() => remove(i)}
            >
              <IconTrash />
            </button>
          </div>
        )}
      </Index>
      <button type="button" class="add-line" onClick={add}>
        <IconPlus /> Add an option
      </button>
      <Errors id={id} words={errors()} />
    </fieldset>
  )
}

/** One of the options, or none. */
export function ChosenField(props: FieldProps): JSX.Element {
  const { builder, options, chosen } = useChoices(props)
  const values = () => options().map(option => asChoice(option).value)
  const none = () => chosen() === undefined || chosen() === null
  return (
    <FieldFrame {...props}>
      {ids => (
        <select
          id={ids.id}
          aria-invalid={ids.invalid}
          aria-describedby={ids.describedBy}
          onChange={event => builder.edit(props.path, values()[event.currentTarget.selectedIndex - 1])}
        >
          <option selected={none()}>None</option>
          <For each={options()}>
            {option => (
              <option selected={asChoice(option).value === chosen()}>{asChoice(option).label}</option>
            )}
          </For>
          <Show when={!none() && !values().includes(shownText(chosen()))}>
            <option selected>{shownText(chosen())}</option>
          </Show>
        </select>
      )}
    </FieldFrame>
  )
}

/** Any of the options. */
export function ChosenManyField(props: FieldProps): JSX.Element {
  const { builder, options, chosen } = useChoices(props)
  const id = createUniqueId()
  const errors = useErrors(() => props.path)
  const isChosen = (value: string) => asList(chosen()).includes(value)

  function toggle(value: string): void {
    const next = new Set(asList(chosen()))
    if (!next.delete(value)) next.add(value)
    // In the order of the options. What is none of them stays, for the API's words.
    const values = options().map(option => asChoice(option).value)
    const rest = [...next].filter(one => !values.some(known => known === one))
    const list = [...values.filter(one => next.has(one)), ...rest]
    builder.edit(props.path, list.length === 0 ? undefined : list)
  }

  return (
    <fieldset class="field" aria-describedby={id} data-path={fieldName(props.path)}>
      <legend>{props.spec.label}</legend>
      <div class="flags">
        <Index each={options()}>
          {option => (
            <label class="flag-line">
              <input
                type="checkbox"
                checked={isChosen(asChoice(option()).value)}
                onChange={() => toggle(asChoice(option()).value)}
              />
              {asChoice(option()).label}
            </label>
          )}
        </Index>
      </div>
      <Errors id={id} words={errors()} />
    </fieldset>
  )
}
