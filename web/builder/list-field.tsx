// A field that is a list: people add and remove its items.
import { createUniqueId, Index, type JSX } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { IconButton } from '../ui/button.tsx'
import { Legend } from '../ui/legend.tsx'
import { IconPlus, IconTrash } from '../ui/page-icons.tsx'
import { useBuilder } from './builder.ts'
import { asList, getIn } from './card-value.ts'
import { type BuilderFieldProps, Errors, useErrors } from './field.tsx'

export function ListField(
  props: BuilderFieldProps & {
    errors?: string[]
    addLabel: string
    onAdd: () => void
    hideLabel?: boolean
    head?: JSX.Element
    ref: (box: HTMLFieldSetElement) => void
    children: (item: () => unknown, index: number) => JSX.Element
  },
): JSX.Element {
  const builder = useBuilder()
  const errors = useErrors(() => props.path)
  const id = createUniqueId()
  return (
    <fieldset class="field" ref={props.ref} aria-describedby={id} data-path={fieldName(props.path)}>
      <Legend hidden={props.hideLabel}>{props.spec.label}</Legend>
      {props.head}
      <Index each={asList(getIn(builder.value(), props.path))}>{props.children}</Index>
      <button type="button" class="add-line" onClick={() => props.onAdd()}>
        <IconPlus /> {props.addLabel}
      </button>
      <Errors id={id} errors={props.errors ?? errors()} />
    </fieldset>
  )
}

export function DeleteButton(props: { item: string; onClick: () => void }): JSX.Element {
  return (
    <IconButton aria-label={`Delete ${props.item}`} title="Delete" onClick={props.onClick}>
      <IconTrash />
    </IconButton>
  )
}
