// The API's errors for the card. Each leads to its field, or to its line of the JSON.
import { createSignal, For, type JSX, Show } from 'solid-js'
import { useBuilder } from './builder.ts'
import type { Problem } from './parse-card.ts'

const LISTED = 4

/** `hideIfEmpty`: an empty card isn't an error yet. */
export type ProblemsProps = { hideIfEmpty?: boolean; onSelect: (problem: Problem) => void }

export function Problems(props: ProblemsProps): JSX.Element {
  const builder = useBuilder()
  const [all, setAll] = createSignal(false)
  const listed = () => (all() ? builder.problems() : builder.problems().slice(0, LISTED))
  const more = () => builder.problems().length - listed().length
  return (
    <div role="status">
      <Show when={builder.problems().length > 0 && !(props.hideIfEmpty && builder.isEmpty())}>
        <ul class="problems" aria-label="Errors">
          <For each={listed()}>
            {problem => (
              <li>
                <button type="button" class="problem" onClick={() => props.onSelect(problem)}>
                  <span class="problem-text">
                    {problem.message}
                    <Show when={problem.hint}>{hint => <span class="problem-hint">: {hint()}</span>}</Show>
                  </span>
                  <span class="problem-position">
                    line {problem.line}, column {problem.column}
                  </span>
                </button>
              </li>
            )}
          </For>
          <Show when={more() > 0}>
            <li>
              <button type="button" class="link" onClick={() => setAll(true)}>
                Show {more()} more
              </button>
            </li>
          </Show>
        </ul>
      </Show>
    </div>
  )
}
