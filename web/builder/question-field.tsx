// The question of a button block: a switch, and the fields of the question while it is on.
import { createMemo, createUniqueId, type JSX, Show } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import type { FieldSpec } from '../block-kinds/field-spec.ts'
import { IconChevron } from '../ui/page-icons.tsx'
import { MORE_QUESTION_FIELDS, QUESTION_FIELDS } from './block-fields.ts'
import { useBuilder } from './builder.ts'
import { asList, type Fields, getIn } from './card-value.ts'
import { createDisclosure } from './disclosure.ts'
import { type BuilderFieldProps, Errors, useErrors } from './field.tsx'
import { problemWords } from './problem-words.ts'
import { defaultAt } from './strip-defaults.ts'

export function QuestionField(
  props: BuilderFieldProps & { fields: (fields: Record<string, FieldSpec>) => JSX.Element },
): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const block = () => props.path.slice(0, -1)
  const value = () => getIn(builder.value(), props.path)
  const asks = createMemo(() => (value() ?? null) !== null)
  /** The fields show their own errors. */
  const errors = () =>
    builder
      .problemsAt(props.path)
      .filter(({ path }) => path.length === props.path.length)
      .map(problemWords)

  function toggle(on: boolean): void {
    if (on) return builder.edit(props.path, questionFor(getIn(builder.value(), [...block(), 'buttons'])))
    builder.edit(block(), withoutQuestion(getIn(builder.value(), block())))
  }

  return (
    <div class="field question" data-path={fieldName(props.path)}>
      <label class="flag-line">
        <input
          type="checkbox"
          checked={asks()}
          aria-describedby={id}
          onChange={event => toggle(event.currentTarget.checked)}
        />
        {props.spec.label}
      </label>
      <Errors id={id} errors={errors()} hint="The first press decides, and everyone sees who chose what." />
      <Show when={asks()}>
        <fieldset class="stack box part-box">
          <legend class="sr-only">The question</legend>
          <AskAgain {...props} />
          {props.fields(QUESTION_FIELDS)}
          <MoreFields {...props} />
        </fieldset>
      </Show>
    </div>
  )
}

function MoreFields(props: Parameters<typeof QuestionField>[0]): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const paths = () => Object.keys(MORE_QUESTION_FIELDS).map(name => [...props.path, name])
  const isSet = createMemo(() =>
    paths().some(path => {
      const value = getIn(builder.value(), path) ?? null
      return value !== null && value !== defaultAt(path)
    }),
  )
  const hasProblems = () => paths().some(path => builder.problemsAt(path).length > 0)
  const { isOpen, toggle } = createDisclosure(isSet, hasProblems)
  return (
    <>
      <button
        type="button"
        class="more-line"
        aria-label="More about the question"
        aria-expanded={isOpen()}
        aria-controls={id}
        onClick={toggle}
      >
        <IconChevron /> More
      </button>
      <Show when={isOpen()}>
        <div class="stack more-fields" id={id}>
          {props.fields(MORE_QUESTION_FIELDS)}
        </div>
      </Show>
    </>
  )
}

/** An ended question stays as it is until it is asked again. */
function AskAgain(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const path = () => [...props.path, 'reopen']
  const errors = useErrors(path)
  const ended = createMemo(() => {
    const blockId = getIn(builder.value(), [...props.path.slice(0, -1), 'id'])
    const stored = builder.card()?.blocks.find(({ id }) => id === blockId)
    const decision = stored?.type === 'button' ? stored.decision : undefined
    return decision && decision.state !== 'waiting' ? decision : undefined
  })

  function toggle(on: boolean, ended: string): void {
    const value = getIn(builder.value(), props.path)
    const { id: _, reopen: __, ...question } = isJsonObject(value) ? value : {}
    builder.edit(props.path, on ? { reopen: true, ...question } : { id: ended, ...question })
  }

  return (
    <Show when={ended()}>
      {ended => (
        <div class="field flag" data-path={fieldName(path())}>
          <label class="flag-line">
            <input
              type="checkbox"
              checked={getIn(builder.value(), path()) === true}
              aria-describedby={id}
              onChange={event => toggle(event.currentTarget.checked, ended().id)}
            />
            Ask again
          </label>
          <Errors id={id} errors={errors()} hint="This question has ended. To change it, ask again." />
        </div>
      )}
    </Show>
  )
}

/** Most often the first button says yes. */
function questionFor(buttons: unknown): Fields {
  const yes = asList(buttons).find(button => getIn(button, ['style']) !== 'danger')
  const id = getIn(yes, ['id'])
  return typeof id === 'string' && id !== '' ? { approves: id } : {}
}

/** Only the buttons of a question have rules about comments. */
function withoutQuestion(block: unknown): unknown {
  if (!isJsonObject(block)) return block
  const { decision: _, ...rest } = block
  if (!Array.isArray(rest.buttons)) return rest
  const buttons = asList(rest.buttons).map((button): unknown => {
    if (!isJsonObject(button)) return button
    const { comment: _, ...plain }: Fields = button
    return plain
  })
  return { ...rest, buttons }
}
