// The buttons of a button block, each with its own fields.
import { createUniqueId, Index, type JSX } from 'solid-js'
import { fieldName, type Path } from '../../shared/invalid.ts'
import { IconPlus, IconTrash } from '../ui/page-icons.tsx'
import { useBuilder } from './builder.ts'
import { asList, buttonIdsOf, freeId, getIn, isFields, moved, without } from './card-value.ts'
import { Errors, type FieldProps } from './field.tsx'

/** `each`: the fields of one button. */
export function ButtonsField(props: FieldProps & { each: (path: Path) => JSX.Element }): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const buttons = () => asList(getIn(builder.value(), props.path))
  /** What is wrong with the list itself; the rest is told at the fields. */
  const errors = () =>
    builder
      .problemsAt(props.path)
      .filter(({ path }) => path.length === props.path.length)
      .map(({ rule }) => `buttons ${rule}`)
  let box: HTMLFieldSetElement | undefined

  function add(): void {
    const next = {
      id: freeId('button', buttonIdsOf(builder.blocks())),
      label: 'New button',
      style: 'secondary',
    }
    builder.edit(props.path, [...buttons(), next])
    const label = box?.querySelector<HTMLInputElement>('.part-box:last-of-type input')
    label?.focus()
    label?.select()
  }

  function remove(at: number): void {
    builder.edit(props.path, without(buttons(), at))
    box?.querySelector<HTMLElement>('.add-line')?.focus()
  }

  return (
    <fieldset class="field" ref={box} aria-describedby={id} data-path={fieldName(props.path)}>
      <legend class="sr-only">{props.spec.label}</legend>
      <Index each={buttons()}>
        {(button, i) => (
          <fieldset class="part-box">
            <legend class="sr-only">{nameOf(button(), i)}</legend>
            {props.each([...props.path, i])}
            <div class="part-box-tools">
              <button
                type="button"
                class="link"
                disabled={i === 0}
                aria-label={`Move ${nameOf(button(), i)} forward`}
                onClick={() => builder.edit(props.path, moved(buttons(), i, i - 1))}
              >
                Move forward
              </button>
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${nameOf(button(), i)}`}
                title="Remove"
                onClick={() => remove(i)}
              >
                <IconTrash />
              </button>
            </div>
          </fieldset>
        )}
      </Index>
      <button type="button" class="add-line" onClick={add}>
        <IconPlus /> Add a button
      </button>
      <Errors id={id} words={errors()} />
    </fieldset>
  )
}

function nameOf(button: unknown, at: number): string {
  const said = isFields(button) && typeof button.label === 'string' ? button.label : ''
  return said === '' ? `button ${at + 1}` : `“${said}”`
}
