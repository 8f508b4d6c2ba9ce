// One field of a block: a label, a control, and below it what the API would say of it.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { fieldName, type Path } from '../../shared/invalid.ts'
import type { FieldSpec } from './block-fields.ts'
import { useBuilder } from './builder.ts'

export type FieldProps = { path: Path; spec: FieldSpec }

/** The words of what is wrong below `path`, each once. */
export function useErrors(path: () => Path): () => string[] {
  const builder = useBuilder()
  return () => {
    const above = path().slice(0, -1)
    const words = builder
      .problemsAt(path())
      .map(problem => `${fieldName(problem.path.slice(above.length))} ${problem.rule}`)
    return [...new Set(words)]
  }
}

export type Ids = { id: string; describedBy: string; invalid: 'true' | undefined }

/** `whole`: what is wrong deeper inside is told there. */
export function FieldFrame(props: FieldProps & { children: (ids: Ids) => JSX.Element }): JSX.Element {
  const id = createUniqueId()
  const errors = useErrors(() => props.path)
  const ids: Ids = {
    id,
    describedBy: `${id}-note`,
    get invalid() {
      return errors().length > 0 ? ('true' as const) : undefined
    },
  }
  return (
    <div class="field" classList={{ 'field-half': props.spec.half }} data-path={fieldName(props.path)}>
      <label for={id}>{props.spec.label}</label>
      {props.children(ids)}
      <Errors id={ids.describedBy} words={errors()} hint={props.spec.hint} />
    </div>
  )
}

export function Errors(props: { id: string; words: string[]; hint?: string }): JSX.Element {
  return (
    <div id={props.id} class="field-notes">
      <For
        each={props.words}
        fallback={<Show when={props.hint}>{hint => <p class="hint">{hint()}</p>}</Show>}
      >
        {words => <p class="form-error">{words}</p>}
      </For>
    </div>
  )
}

/** What a control of text shows of a value that need not be a text. */
export function shownText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
