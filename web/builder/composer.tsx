// The card builder: destination on top, editor on the left, result on the right. A narrow screen shows one pane at a time.
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { createMedia } from '../lib/media.ts'
import { onKey } from '../lib/on-key.ts'
import { letterOf } from '../ui/shortcut-keys.ts'
import { type Builder, useBuilder } from './builder.ts'
import { Code } from './code.tsx'
import type { Destination } from './destination.ts'
import { DestinationBar } from './destination-bar.tsx'
import { BlocksPane, focusField, JsonPane } from './editor-panes.tsx'
import { Gallery } from './gallery.tsx'
import { type Pane, Panes } from './panes.tsx'
import type { Problem } from './parse-card.ts'
import { Preview } from './preview.tsx'
import { AnnouncementToast } from './toolbar.tsx'
import './composer.css'

type Left = 'blocks' | 'json'
type Right = 'preview' | 'code'

export function Composer(props: { destination: Destination }): JSX.Element {
  const builder = useBuilder()
  const narrow = createMedia('(max-width: 60rem)')
  const [left, setLeft] = createSignal<Left>('blocks')
  const [right, setRight] = createSignal<Right>('preview')
  /** The visible pane on a narrow screen. */
  const [only, setOnly] = createSignal<Pane>('blocks')
  createUndoKeys(builder)

  function show(pane: Left): void {
    setLeft(pane)
    setOnly(pane)
  }

  function goTo(problem: Problem): void {
    const visible = narrow() ? only() : left()
    if (builder.malformed() || visible === 'json') {
      show('json')
      builder.reveal(problem)
      return
    }
    show('blocks')
    const at = problem.path[0] === 'blocks' ? problem.path[1] : undefined
    if (typeof at === 'number') builder.setOpenKey(builder.keys()[at])
    queueMicrotask(() => focusField(problem))
  }

  const hasErrors = (pane: Pane) =>
    (pane === 'blocks' || pane === 'json') && builder.problems().length > 0 && !builder.isEmpty()
  const views = {
    blocks: () => <BlocksPane goTo={goTo} />,
    json: () => <JsonPane goTo={goTo} />,
    preview: () => <Preview viewOnly={props.destination.viewOnly()} />,
    code: () => <Code destination={props.destination} />,
  }
  const shared = { views, hasErrors }
  return (
    <>
      <DestinationBar destination={props.destination} />
      <Show
        when={narrow()}
        fallback={
          <div class="composer-panes">
            <Panes {...shared} label="Editor" panes={['blocks', 'json']} value={left()} onSelect={setLeft} />
            <Panes
              {...shared}
              label="Result"
              panes={['preview', 'code']}
              value={right()}
              onSelect={setRight}
            />
          </div>
        }
      >
        <Panes
          {...shared}
          label="The card"
          panes={['blocks', 'preview', 'json', 'code']}
          value={only()}
          onSelect={setOnly}
        />
      </Show>
      <AnnouncementToast />
      <Show when={builder.examplesShown()}>
        <Gallery />
      </Show>
    </>
  )
}

/** Text controls and the JSON editor have an undo of their own. */
const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, .cm-content'

function createUndoKeys(builder: Builder): void {
  const onKeyDown = onKey(event => {
    const { target } = event
    const key = letterOf(event)
    const typing = target instanceof HTMLElement && target.matches(TYPED_INTO)
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
    event.preventDefault()
    if (key === 'y' || event.shiftKey) builder.redo()
    else builder.undo()
  })

  document.addEventListener('keydown', onKeyDown)
  onCleanup(() => document.removeEventListener('keydown', onKeyDown))
}
