// A checkbox for each option, so that all of them are visible and reachable by keyboard.
import { createSignal, For, Show } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import { fold as folded } from '../../lib/folded-text.ts'
import { Legend } from '../../ui/legend.tsx'
import { useCard } from '../card-form.ts'
import { createFieldIds, FieldNotes, RequiredMark } from '../field.tsx'
import { createFieldValue } from '../field-value.ts'
import { createFold, FoldButton } from '../fold.tsx'
import type { BlockDisplay } from './display.ts'
import './multiselect.css'

const FOLDED_OPTIONS = 12

export const multiselectDisplay: BlockDisplay<'multiselect'> = { View: Choices }

function Choices(props: { block: BlockOf<'multiselect'> }) {
  const field = createFieldValue(() => props.block)
  const ids = createFieldIds(() => props.block)
  const { form } = useCard()
  const fold = createFold(() => props.block.id)
  const [query, setQuery] = createSignal('')
  const name = () => props.block.label ?? props.block.placeholder ?? 'Choices'
  const isLong = () => props.block.options.length > FOLDED_OPTIONS
  /** Folded: the first options, and those that are chosen. */
  const shown = () => {
    if (!isLong()) return props.block.options
    if (fold.isOpen())
      return props.block.options.filter(({ label }) => folded(label).includes(folded(query())))
    const chosen = new Set(field.value())
    return props.block.options.filter(({ value }, i) => i < FOLDED_OPTIONS || chosen.has(value))
  }

  function toggle(value: string): void {
    const next = new Set(field.value())
    if (!next.delete(value)) next.add(value)
    // In the order of the options, and each value once: options may share a value.
    const values = new Set(props.block.options.map(option => option.value))
    field.choose([...values].filter(option => next.has(option)))
  }

  return (
    <fieldset
      class="field"
      disabled={field.isDisabled()}
      aria-describedby={ids.describedBy}
      aria-invalid={ids.invalid}
    >
      <Legend hidden={props.block.label === undefined}>
        {name()}
        <RequiredMark block={props.block} />
      </Legend>
      <Show when={props.block.placeholder !== undefined && props.block.label !== undefined}>
        <p class="hint">{props.block.placeholder}</p>
      </Show>
      <Show when={fold.isOpen() && isLong()}>
        <input
          type="search"
          class="choices-find"
          aria-label={`Find in ${name()}`}
          placeholder="Find…"
          onInput={event => setQuery(event.currentTarget.value)}
        />
      </Show>
      <div class="choices">
        <For each={shown()}>
          {(option, i) => (
            <label class="choice">
              <input
                type="checkbox"
                ref={control => i() === 0 && form.register(props.block.id, control)}
                checked={field.value().includes(option.value)}
                onChange={() => toggle(option.value)}
              />
              <span>{option.label}</span>
            </label>
          )}
        </For>
      </div>
      <FoldButton fold={fold} isLong={isLong()} all={` ${props.block.options.length}`} />
      <FieldNotes block={props.block} ids={ids} />
    </fieldset>
  )
}
