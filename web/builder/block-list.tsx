// The card as a list: its status, its blocks in order, and what can be added. One block is open at a time.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { CARD_STATUSES } from '../../shared/limits.ts'
import { AddBlock } from './add-block.tsx'
import { BlockRow } from './block-row.tsx'
import { useBuilder } from './builder.ts'
import { getIn } from './card-value.ts'
import { createReorder } from './reorder.ts'

export function BlockList(props: { onExamples: () => void }): JSX.Element {
  const builder = useBuilder()
  const help = createUniqueId()
  let list: HTMLOListElement | undefined
  const reorder = createReorder(
    () => [...(list?.children ?? [])].filter(item => item instanceof HTMLElement),
    builder.move,
  )
  return (
    <fieldset class="composer" disabled={builder.malformed() !== undefined}>
      <legend class="sr-only">The card</legend>
      <Status />
      <ol class="block-rows" ref={list} aria-label="Blocks">
        <For each={builder.keys()}>
          {(key, index) => <BlockRow key={key} index={index()} reorder={reorder} help={help} />}
        </For>
      </ol>
      <p class="sr-only" id={help}>
        Arrow up and arrow down move the block.
      </p>
      <Show when={builder.blocks().length === 0 && !builder.malformed()}>
        <div class="composer-empty">
          <p>An empty card. Add its first block, or begin with an example.</p>
          <button type="button" class="button button-secondary" onClick={() => props.onExamples()}>
            See the examples
          </button>
        </div>
      </Show>
      <AddBlock />
    </fieldset>
  )
}

function Status(): JSX.Element {
  const builder = useBuilder()
  const status = () => getIn(builder.value(), ['status'])
  const shown = () => status() ?? 'default'
  return (
    <fieldset class="statuses">
      <legend>Status</legend>
      <div class="status-choices">
        <For each={CARD_STATUSES}>
          {name => (
            <label class={`status-choice status-${name}`}>
              <input
                type="radio"
                name="card-status"
                checked={shown() === name}
                onChange={() => builder.edit(['status'], name)}
              />
              <span class="dot" aria-hidden="true" />
              {name}
            </label>
          )}
        </For>
      </div>
      <Show when={builder.problemsAt(['status'])[0]}>
        {problem => <p class="form-error">{problem().message}</p>}
      </Show>
    </fieldset>
  )
}
