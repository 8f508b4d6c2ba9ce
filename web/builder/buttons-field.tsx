// The buttons of a button block, one to a line. The rest of a button opens below its line.
import { createUniqueId, type JSX, Show } from 'solid-js'
import type { Path } from '../../shared/invalid.ts'
import { IconButton } from '../ui/button.tsx'
import { IconMore } from '../ui/icons.tsx'
import { BUTTON_STYLE_NAMES } from './block-fields.ts'
import { useBuilder } from './builder.ts'
import { buttonNotes } from './button-notes.ts'
import { asList, buttonIdsOf, freeId, getIn, setIn } from './card-value.ts'
import { createDisclosure } from './disclosure.ts'
import { type BuilderFieldProps, textOf } from './field.tsx'
import { ListField, type ListRow } from './list-field.tsx'
import { ChoiceSelect } from './select-field.tsx'
import { defaultAt } from './strip-defaults.ts'

const CELLS = ['label', 'style']
const STYLES = Object.entries(BUTTON_STYLE_NAMES).map(([value, label]) => ({ value, label }))

type ButtonsFieldProps = BuilderFieldProps & { more: (path: Path) => JSX.Element }

export function ButtonsField(props: ButtonsFieldProps): JSX.Element {
  const builder = useBuilder()

  function add(): void {
    const buttons = asList(getIn(builder.value(), props.path))
    const id = freeId('button', buttonIdsOf(builder.blocks()))
    builder.edit(props.path, [...buttons, { id, label: 'New button', style: 'secondary' }])
  }

  /** A question whose approving button goes has none. */
  function remove(at: number): void {
    const block = props.path.slice(0, -1)
    const approves = [...block, 'decision', 'approves']
    const buttons = asList(getIn(builder.value(), props.path))
    const id = getIn(buttons, [at, 'id'])
    const isApproving = id !== undefined && id === getIn(builder.value(), approves)
    const next = setIn(getIn(builder.value(), block), ['buttons'], buttons.toSpliced(at, 1))
    builder.edit(block, isApproving ? setIn(next, ['decision', 'approves'], undefined) : next)
  }

  return (
    <ListField
      {...props}
      addLabel="Add a button"
      nameOf={nameOf}
      cells={CELLS}
      onAdd={add}
      onRemove={remove}
      hideLabel
    >
      {row => <ButtonRow {...props} {...row} />}
    </ListField>
  )
}

function ButtonRow(props: ButtonsFieldProps & ListRow): JSX.Element {
  const builder = useBuilder()
  const more = createUniqueId()
  const path = () => [...props.path, props.index()]
  /** Errors in the fields that the row hides. */
  const hasProblems = () =>
    builder.problemsAt(path()).some(problem => {
      const field = problem.path[path().length]
      return field !== undefined && !CELLS.includes(String(field))
    })
  const { isOpen, toggle } = createDisclosure(hasProblems, hasProblems)
  const notes = () => buttonNotes(props.item())

  return (
    <>
      <div class="list-cells list-cells-label list-cells-buttons">
        <input
          {...props.cell('label')}
          aria-label={`Label of button ${props.index() + 1}`}
          placeholder="Label"
          autocomplete="off"
          value={textOf(getIn(props.item(), ['label']))}
          onInput={event => builder.edit([...path(), 'label'], event.currentTarget.value)}
        />
        <ChoiceSelect
          {...props.cell('style')}
          aria-label={`Style of button ${props.index() + 1}`}
          choices={STYLES}
          value={getIn(props.item(), ['style']) ?? defaultAt([...path(), 'style'])}
          onSelect={style => builder.edit([...path(), 'style'], style)}
        />
      </div>
      <IconButton
        aria-label={`More about ${props.name()}`}
        aria-expanded={isOpen()}
        aria-controls={more}
        title="More"
        onClick={toggle}
      >
        <IconMore />
      </IconButton>
      {props.deleteButton()}
      <Show
        when={isOpen()}
        fallback={
          <Show when={notes()}>
            <p class="list-more button-notes cut" dir="auto">
              {notes()}
            </p>
          </Show>
        }
      >
        <div class="list-more stack box part-box" id={more}>
          {props.more(path())}
        </div>
      </Show>
    </>
  )
}

function nameOf(button: unknown, at: number): string {
  const label = textOf(getIn(button, ['label']))
  return label === '' ? `button ${at + 1}` : `“${label}”`
}
