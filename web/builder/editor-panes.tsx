// The two panes that edit the card: as a list of blocks and as JSON, each with the problems on top.
import { type JSX, lazy, Show, Suspense } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { BlockList } from './block-list.tsx'
import { useBuilder } from './builder.ts'
import type { Reveal } from './json-editor.tsx'
import type { Problem } from './parse-card.ts'
import { Problems } from './problems.tsx'

const JsonEditor = lazy(() => import('./json-editor.tsx'))

type EditorPaneProps = { goTo: (problem: Problem) => void }

export function BlocksPane(props: EditorPaneProps & { onExamples: () => void }): JSX.Element {
  const builder = useBuilder()
  return (
    <>
      <Problems onSelect={props.goTo} hideIfEmpty />
      <Show when={builder.malformed()}>
        {malformed => (
          <p class="hint block-list-note">
            The JSON isn’t valid, so the blocks can’t be edited.{' '}
            <button type="button" class="link" onClick={() => props.goTo(malformed())}>
              Go to the error
            </button>{' '}
            or{' '}
            <button type="button" class="link" onClick={builder.format}>
              restore the last valid JSON
            </button>
            .
          </p>
        )}
      </Show>
      <BlockList onExamples={props.onExamples} />
    </>
  )
}

/** `reveal` is selected in the editor once; then `onReveal` is called. */
export type JsonPaneProps = EditorPaneProps & { reveal: Reveal | undefined; onReveal: () => void }

export function JsonPane(props: JsonPaneProps): JSX.Element {
  const builder = useBuilder()
  return (
    <>
      <Problems onSelect={props.goTo} />
      <Suspense fallback={<p class="quiet">Loading the editor…</p>}>
        <JsonEditor reveal={props.reveal} onReveal={props.onReveal} />
      </Suspense>
      <div class="json-tools">
        <button
          type="button"
          class="button button-secondary button-small"
          disabled={builder.malformed() !== undefined}
          onClick={builder.format}
        >
          Format
        </button>
        <p class="hint">The request body of POST and PUT.</p>
      </div>
    </>
  )
}

/** Focuses the control of the problem's field, or of the nearest field around it that has one. */
export function focusField({ path }: Problem): void {
  for (let length = path.length; length > 0; length--) {
    const field = document.querySelector(`[data-path="${CSS.escape(fieldName(path.slice(0, length)))}"]`)
    const within = field?.querySelector('.block-fields, .field') ? '.block-fields ' : ''
    const control = field?.querySelector(`${within}:is(input, textarea, select, button)`)
    if (!(control instanceof HTMLElement)) continue
    control.focus()
    return
  }
}
