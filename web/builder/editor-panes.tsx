// The two editors of the card, blocks and JSON, with the problems on top.
import { createSignal, For, type JSX, lazy, Show, Suspense } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { LinkButton, SmallButton } from '../ui/button.tsx'
import { BlockList } from './block-list.tsx'
import { useBuilder } from './builder.ts'
import type { Problem } from './parse-card.ts'
import { placedWords } from './problem-words.ts'

const JsonEditor = lazy(() => import('./json-editor.tsx'))

export function BlocksPane(props: { goTo: (problem: Problem) => void }): JSX.Element {
  const builder = useBuilder()
  return (
    <>
      <Problems onSelect={props.goTo} inWords />
      <Show when={builder.malformed()}>
        {malformed => (
          <p class="hint block-list-note">
            The JSON isn’t valid, so the blocks can’t be edited.{' '}
            <LinkButton onClick={() => props.goTo(malformed())}>Go to the error</LinkButton> or{' '}
            <LinkButton onClick={builder.format}>restore the last valid JSON</LinkButton>.
          </p>
        )}
      </Show>
      <BlockList />
    </>
  )
}

export function JsonPane(props: { goTo: (problem: Problem) => void }): JSX.Element {
  const builder = useBuilder()
  return (
    <>
      <Problems onSelect={props.goTo} />
      <Suspense fallback={<p class="quiet">Loading the editor…</p>}>
        <JsonEditor />
      </Suspense>
      <div class="line json-tools">
        <SmallButton disabled={builder.malformed() !== undefined} onClick={builder.format}>
          Format
        </SmallButton>
        <p class="hint">The request body of POST and PUT.</p>
      </div>
    </>
  )
}

const LISTED = 4

/** The API's errors for the card. `inWords`: for people who don't read JSON. To them, an empty card isn't an error yet. */
function Problems(props: { inWords?: boolean; onSelect: (problem: Problem) => void }): JSX.Element {
  const builder = useBuilder()
  const [all, setAll] = createSignal(false)
  const listed = () => builder.problems().slice(0, all() ? undefined : LISTED)
  const more = () => builder.problems().length - listed().length
  /** Malformed JSON has an error only in JSON. */
  const inWords = ({ hint }: Problem) => props.inWords === true && hint === null
  return (
    <div role="status">
      <Show when={builder.problems().length > 0 && !(props.inWords && builder.isEmpty())}>
        <ul class="box problems" aria-label="Errors">
          <For each={listed()}>
            {problem => (
              <li>
                <button type="button" class="problem" onClick={() => props.onSelect(problem)}>
                  <span class="problem-text">
                    {inWords(problem) ? placedWords(problem, builder.value()) : problem.message}
                    <Show when={problem.hint}>{hint => <span class="problem-hint">: {hint()}</span>}</Show>
                  </span>
                  <Show when={!inWords(problem)}>
                    <span class="problem-position fine">
                      line {problem.line}, column {problem.column}
                    </span>
                  </Show>
                </button>
              </li>
            )}
          </For>
          <Show when={more() > 0}>
            <li>
              <LinkButton onClick={() => setAll(true)}>Show {more()} more</LinkButton>
            </li>
          </Show>
        </ul>
      </Show>
    </div>
  )
}

const CONTROLS = ':is(input, textarea, select, button:not(.grip))'

/** If the field has no control, a field around it gets the focus. */
export function focusField({ path }: Problem): void {
  for (let length = path.length; length > 0; length--) {
    const field = document.querySelector(`[data-path="${CSS.escape(fieldName(path.slice(0, length)))}"]`)
    const within = field?.querySelector('.block-fields, .field') ? '.block-fields ' : ''
    const control = field?.matches(CONTROLS) ? field : field?.querySelector(within + CONTROLS)
    if (!(control instanceof HTMLElement)) continue
    control.focus()
    return
  }
}
