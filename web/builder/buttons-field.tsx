// The buttons of a button block, each with its own fields.
import type { JSX } from 'solid-js'
import type { Path } from '../../shared/invalid.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { LinkButton } from '../ui/button.tsx'
import { useBuilder } from './builder.ts'
import { asList, buttonIdsOf, freeId, getIn } from './card-value.ts'
import type { BuilderFieldProps } from './field.tsx'
import { DeleteButton, ListField } from './list-field.tsx'

export function ButtonsField(
  props: BuilderFieldProps & { fields: (path: Path) => JSX.Element },
): JSX.Element {
  const builder = useBuilder()
  const buttons = () => asList(getIn(builder.value(), props.path))
  /** The fields of a button show their own errors. */
  const errors = () =>
    builder
      .problemsAt(props.path)
      .filter(({ path }) => path.length === props.path.length)
      .map(({ rule }) => `buttons ${rule}`)
  let box: HTMLFieldSetElement | undefined

  function add(): void {
    const id = freeId('button', buttonIdsOf(builder.blocks()))
    builder.edit(props.path, [...buttons(), { id, label: 'New button', style: 'secondary' }])
    const label = box?.querySelector<HTMLInputElement>('.part-box:last-of-type input')
    label?.focus()
    label?.select()
  }

  function remove(at: number): void {
    builder.edit(props.path, buttons().toSpliced(at, 1))
    box?.querySelector<HTMLElement>('.add-line')?.focus()
  }

  function moveForward(at: number): void {
    const [before, button] = [buttons()[at - 1], buttons()[at]]
    builder.edit(props.path, buttons().toSpliced(at - 1, 2, button, before))
  }

  return (
    <ListField
      {...props}
      errors={errors()}
      addLabel="Add a button"
      onAdd={add}
      hideLabel
      ref={element => (box = element)}
    >
      {(button, i) => (
        <fieldset class="stack box part-box">
          <legend class="sr-only">{nameOf(button(), i)}</legend>
          {props.fields([...props.path, i])}
          <div class="line small part-box-tools">
            <LinkButton
              disabled={i === 0}
              aria-label={`Move ${nameOf(button(), i)} forward`}
              onClick={() => moveForward(i)}
            >
              Move forward
            </LinkButton>
            <DeleteButton item={nameOf(button(), i)} onClick={() => remove(i)} />
          </div>
        </fieldset>
      )}
    </ListField>
  )
}

function nameOf(button: unknown, at: number): string {
  const label = isJsonObject(button) && typeof button.label === 'string' ? button.label : ''
  return label === '' ? `button ${at + 1}` : `“${label}”`
}
