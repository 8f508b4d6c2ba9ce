// A field that is a list: its items, each with a button that removes it, a button that adds one, and its errors.
import { createUniqueId, Index, type JSX } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { IconPlus, IconTrash } from '../ui/page-icons.tsx'
import { useBuilder } from './builder.ts'
import { asList, getIn } from './card-value.ts'
import { Errors, type FieldProps } from './field.tsx'

export type ListFieldProps = FieldProps & {
  errors: string[]
  /** The label of the button that adds an item. */
  addLabel: string
  onAdd: () => void
  hideLabel?: boolean
  head?: JSX.Element
  ref: (box: HTMLFieldSetElement) => void
  children: (item: () => unknown, index: number) => JSX.Element
}

export function ListField(props: ListFieldProps): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  return (
    <fieldset class="field" ref={props.ref} aria-describedby={id} data-path={fieldName(props.path)}>
      <legend classList={{ 'sr-only': props.hideLabel }}>{props.spec.label}</legend>
      {props.head}
      <Index each={asList(getIn(builder.value(), props.path))}>{(item, i) => props.children(item, i)}</Index>
      <button type="button" class="add-line" onClick={() => props.onAdd()}>
        <IconPlus /> {props.addLabel}
      </button>
      <Errors id={id} errors={props.errors} />
    </fieldset>
  )
}

/** `item` tells the items apart for screen readers. */
export function RemoveButton(props: { item: string; onClick: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Remove ${props.item}`}
      title="Remove"
      onClick={() => props.onClick()}
    >
      <IconTrash />
    </button>
  )
}
