// The options of a select or multiselect block and its value. If value and label are equal, the option is a string.
import type { BlockOption } from '../../shared/blocks/options.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { useBuilder } from './builder.ts'
import { asList, getIn, setIn } from './card-value.ts'
import { type BuilderFieldProps, textOf } from './field.tsx'

export function asOption(option: unknown): BlockOption {
  if (!isJsonObject(option)) return { value: textOf(option), label: textOf(option) }
  return { value: textOf(option.value), label: textOf(option.label) }
}

export function useOptions(props: BuilderFieldProps) {
  const builder = useBuilder()
  const block = () => props.path.slice(0, -1)
  return {
    builder,
    block,
    options: () => asList(getIn(builder.value(), [...block(), 'options'])).map(asOption),
    value: () => getIn(builder.value(), [...block(), 'value']),
  }
}

export function createOptionEditing(props: BuilderFieldProps) {
  const { builder, block, options, value } = useOptions(props)
  /** The index of the focused option in the block's value; -1 if it isn't chosen. */
  let chosenAt = -1

  /** Must be called before the option changes: while people type, two options may have the same value. */
  function rememberChoice(at: number): void {
    const now = value()
    const own = options()[at]?.value
    chosenAt = Array.isArray(now) ? now.indexOf(own) : now === own ? 0 : -1
  }

  function change(at: number, next: BlockOption): void {
    const option = next.value === next.label ? next.label : next
    const changed = setIn(getIn(builder.value(), block()), ['options', at], option)
    const now = value()
    const chosen = Array.isArray(now) ? now.map((one, i) => (i === chosenAt ? next.value : one)) : next.value
    builder.edit(block(), chosenAt < 0 ? changed : setIn(changed, ['value'], chosen))
  }

  function rename(at: number, label: string): void {
    const before = options()[at] ?? { value: '', label: '' }
    change(at, { label, value: before.value === before.label ? label : before.value })
  }

  function remove(at: number): void {
    const removed = options()[at]?.value
    const list = asList(getIn(builder.value(), props.path))
    const changed = setIn(getIn(builder.value(), block()), ['options'], list.toSpliced(at, 1))
    const now = value()
    const chosen = Array.isArray(now) ? now.filter(one => one !== removed) : now === removed ? undefined : now
    builder.edit(block(), setIn(changed, ['value'], chosen))
  }

  function add(): void {
    const labels = options().map(({ label }) => label)
    let n = labels.length + 1
    while (labels.includes(`Option ${n}`)) n++
    builder.edit(props.path, [...asList(getIn(builder.value(), props.path)), `Option ${n}`])
  }

  return { options, rememberChoice, change, rename, remove, add }
}
