// One field of a block: a label, a control, and its errors below it.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { fieldName, type Path } from '../../shared/invalid.ts'
import type { FieldSpec } from '../block-kinds/field-spec.ts'
import { useBuilder } from './builder.ts'
import { problemWords } from './problem-words.ts'
import './field.css'

export type BuilderFieldProps = { path: Path; spec: FieldSpec }

/** Includes the errors of the fields inside, without repetition. */
export function useErrors(path: () => Path): () => string[] {
  const builder = useBuilder()
  return () => [...new Set(builder.problemsAt(path()).map(problemWords))]
}

export function FieldFrame(
  props: BuilderFieldProps & {
    /** Instead of the errors at the path. */
    errors?: string[]
    children: (control: { id: string; 'aria-describedby': string }) => JSX.Element
  },
): JSX.Element {
  const id = createUniqueId()
  const errorsHere = useErrors(() => props.path)
  const errors = () => props.errors ?? errorsHere()
  const control = {
    id,
    'aria-describedby': `${id}-note`,
    get 'aria-invalid'() {
      return errors().length > 0 ? ('true' as const) : undefined
    },
  }
  return (
    <div class="field" classList={{ 'field-half': props.spec.half }} data-path={fieldName(props.path)}>
      <label for={id}>{props.spec.label}</label>
      {props.children(control)}
      <Errors id={control['aria-describedby']} errors={errors()} hint={props.spec.hint} />
    </div>
  )
}

export function Errors(props: { id: string; errors: string[]; hint?: string }): JSX.Element {
  return (
    <div id={props.id} class="field-notes">
      <For
        each={props.errors}
        fallback={<Show when={props.hint}>{hint => <p class="hint">{hint()}</p>}</Show>}
      >
        {error => <p class="form-error">{error}</p>}
      </For>
    </div>
  )
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
