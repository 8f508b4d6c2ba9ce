// The card as a list: its status, its blocks in order, and a button for each block type that adds an example.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { CARD_STATUSES } from '../../shared/limits.ts'
import { BLOCK_KINDS } from '../block-kinds/block-kinds.ts'
import { capitalized } from '../lib/capitalized.ts'
import { Button } from '../ui/button.tsx'
import { icon } from '../ui/icons.tsx'
import { Legend } from '../ui/legend.tsx'
import { IconQuestion } from '../ui/page-icons.tsx'
import { createSortable } from '../ui/sortable.ts'
import { Mark } from '../ui/status.tsx'
import { blockName } from './block-editing.ts'
import { BlockRow } from './block-row.tsx'
import { useBuilder } from './builder.ts'
import { getIn } from './card-value.ts'
import { problemWords } from './problem-words.ts'
import './block-list.css'

export function BlockList(): JSX.Element {
  const builder = useBuilder()
  const help = createUniqueId()
  let list: HTMLOListElement | undefined
  const sortable = createSortable({
    ids: builder.keys,
    nameOf: key => blockName(builder.blockOf(key)),
    list: () => list,
    onOrder: builder.reorder,
  })
  return (
    <fieldset class="block-list" disabled={builder.malformed() !== undefined}>
      <legend class="sr-only">The card</legend>
      <Status />
      <ol
        class="box block-rows"
        classList={{ 'rows-sorting': builder.keys().some(sortable.isDragged) }}
        ref={list}
        aria-label="Blocks"
      >
        <For each={builder.keys()}>
          {(key, index) => <BlockRow key={key} index={index()} sortable={sortable} help={help} />}
        </For>
      </ol>
      <p class="sr-only" id={help}>
        Arrow up and arrow down move the block.
      </p>
      <p class="sr-only" aria-live="assertive">
        {sortable.announced()}
      </p>
      <Show when={builder.blocks().length === 0 && !builder.malformed()}>
        <div class="stack block-list-empty">
          <p>This card is empty. Add a block, or start with an example.</p>
          <Button onClick={() => builder.showExamples(true)}>See the examples</Button>
        </div>
      </Show>
      <AddBlock />
    </fieldset>
  )
}

function Status(): JSX.Element {
  const builder = useBuilder()
  const status = () => getIn(builder.value(), ['status']) ?? 'default'
  return (
    <fieldset class="statuses">
      <Legend>Status</Legend>
      <div class="status-choices">
        <For each={CARD_STATUSES}>
          {name => (
            <label class={`status-choice status-${name}`}>
              <input
                type="radio"
                name="card-status"
                checked={status() === name}
                onChange={() => builder.edit(['status'], name)}
              />
              <Mark status={name} />
              {capitalized(name)}
            </label>
          )}
        </For>
      </div>
      <Show when={builder.problemsAt(['status'])[0]}>
        {problem => <p class="form-error">{problemWords(problem())}</p>}
      </Show>
    </fieldset>
  )
}

function AddBlock(): JSX.Element {
  const builder = useBuilder()
  return (
    <section class="add-block" aria-label="Add a block">
      <h2>Add a block</h2>
      <div class="add-kinds">
        <button
          type="button"
          class="box add-kind add-question across"
          title="People decide, and your automation waits for it"
          onClick={builder.addQuestion}
        >
          <IconQuestion />
          <span>Question</span>
        </button>
        <For each={BLOCK_KINDS}>
          {kind => (
            <button
              type="button"
              class="box add-kind across"
              title={kind.about}
              onClick={() => builder.add(kind)}
            >
              <Dynamic component={icon(kind.icon)} />
              <span>{kind.name}</span>
            </button>
          )}
        </For>
      </div>
    </section>
  )
}
