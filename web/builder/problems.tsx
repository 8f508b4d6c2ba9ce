// What the API would say of the card. Each leads to its place: the field, or the line of the JSON.
import { createSignal, For, type JSX, Show } from 'solid-js'
import { useBuilder } from './builder.ts'
import type { Problem } from './reading.ts'

const SHOWN = 4

/** `calm`: an empty card is not reproached with being empty. */
export function Problems(props: { calm?: boolean; onGo: (problem: Problem) => void }): JSX.Element {
  const builder = useBuilder()
  const [all, setAll] = createSignal(false)
  const list = () => (all() ? builder.problems() : builder.problems().slice(0, SHOWN))
  const more = () => builder.problems().length - list().length
  return (
    <div class="problems-place" role="status">
      <Show when={builder.problems().length > 0 && !(props.calm && builder.isEmpty())}>
        <ul class="problems" aria-label="What is wrong">
          <For each={list()}>
            {problem => (
              <li>
                <button type="button" class="problem" onClick={() => props.onGo(problem)}>
                  <span class="problem-words">
                    {problem.message}
                    <Show when={problem.hint}>{hint => <span class="problem-hint">: {hint()}</span>}</Show>
                  </span>
                  <span class="problem-place">
                    line {problem.line}, column {problem.column}
                  </span>
                </button>
              </li>
            )}
          </For>
          <Show when={more() > 0}>
            <li>
              <button type="button" class="link" onClick={() => setAll(true)}>
                {more()} more
              </button>
            </li>
          </Show>
        </ul>
      </Show>
    </div>
  )
}
