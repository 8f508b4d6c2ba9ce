// The card builder: where the card goes on top, how it is written on the left, how it looks on the right. On a narrow
// screen one of them at a time.
import { createSignal, type JSX, lazy, onCleanup, Show, Suspense } from 'solid-js'
import { fieldName } from '../../shared/invalid.ts'
import { letterOf } from '../ui/shortcut-keys.ts'
import { BlockList } from './block-list.tsx'
import { useBuilder } from './builder.ts'
import { Code } from './code.tsx'
import type { Destination } from './destination.ts'
import { DestinationBar } from './destination-bar.tsx'
import { Gallery } from './gallery.tsx'
import type { Reveal } from './json-editor.tsx'
import { type Pane, Panes } from './panes.tsx'
import { Preview } from './preview.tsx'
import { Problems } from './problems.tsx'
import type { Problem } from './reading.ts'
import { PassingNote } from './toolbar.tsx'

const JsonEditor = lazy(() => import('./json-editor.tsx'))

type Left = 'blocks' | 'json'
type Right = 'preview' | 'code'

const NARROW = matchMedia('(max-width: 60rem)')
const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, .cm-content'

export type ComposerProps = { to: Destination; gallery: boolean; onGallery: (open: boolean) => void }

export function Composer(props: ComposerProps): JSX.Element {
  const builder = useBuilder()
  const [left, setLeft] = createSignal<Left>('blocks')
  const [right, setRight] = createSignal<Right>('preview')
  const [only, setOnly] = createSignal<Left | Right>('blocks')
  const [narrow, setNarrow] = createSignal(NARROW.matches)
  const [reveal, setReveal] = createSignal<Reveal>()
  const look = () => setNarrow(NARROW.matches)
  NARROW.addEventListener('change', look)
  document.addEventListener('keydown', onKeyDown)
  onCleanup(() => {
    NARROW.removeEventListener('change', look)
    document.removeEventListener('keydown', onKeyDown)
  })

  /** Text controls and the editor of the JSON have their own. */
  function onKeyDown(event: KeyboardEvent): void {
    const { target } = event
    const typing = target instanceof HTMLElement && target.matches(TYPED_INTO)
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = letterOf(event)
    if (key !== 'z' && key !== 'y') return
    event.preventDefault()
    if (key === 'y' || event.shiftKey) builder.redo()
    else builder.undo()
  }

  function show(pane: Left): void {
    setLeft(pane)
    setOnly(pane)
  }

  const shownLeft = () => (narrow() ? only() : left())

  /** To the line where the JSON is on the screen or cannot be read, else to the field. */
  function go(problem: Problem): void {
    if (builder.malformed() || shownLeft() === 'json') {
      show('json')
      setReveal({ from: problem.from, to: problem.to })
      return
    }
    show('blocks')
    const at = problem.path[0] === 'blocks' ? problem.path[1] : undefined
    if (typeof at === 'number') builder.setOpen(builder.keys()[at])
    queueMicrotask(() => focusField(problem))
  }

  const hasProblems = () => builder.problems().length > 0 && !builder.isEmpty()
  const blocks: Pane<Left> = {
    name: 'blocks',
    title: 'Blocks',
    flag: hasProblems,
    view: () => (
      <>
        <Problems onGo={go} calm />
        <Show when={builder.malformed()}>
          {malformed => (
            <p class="hint composer-note">
              The blocks cannot be edited while the JSON cannot be read.{' '}
              <button type="button" class="link" onClick={() => go(malformed())}>
                Go to the place
              </button>{' '}
              or{' '}
              <button type="button" class="link" onClick={builder.restore}>
                go back to what could be read
              </button>
              .
            </p>
          )}
        </Show>
        <BlockList onExamples={() => props.onGallery(true)} />
      </>
    ),
  }
  const json: Pane<Left> = {
    name: 'json',
    title: 'JSON',
    flag: hasProblems,
    view: () => (
      <>
        <Problems onGo={go} />
        <Suspense fallback={<p class="quiet">Loading the editor…</p>}>
          <JsonEditor reveal={reveal()} onReveal={() => setReveal(undefined)} />
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
          <p class="hint">The body of POST and PUT, as the API takes it.</p>
        </div>
      </>
    ),
  }
  const preview: Pane<Right> = {
    name: 'preview',
    title: 'Preview',
    view: () => <Preview viewOnly={props.to.viewOnly()} />,
  }
  const code: Pane<Right> = { name: 'code', title: 'Code', view: () => <Code to={props.to} /> }
  return (
    <>
      <DestinationBar to={props.to} />
      <Show
        when={narrow()}
        fallback={
          <div class="composer-panes">
            <Panes label="How it is written" panes={[blocks, json]} value={left()} onPick={setLeft} />
            <Panes label="How it looks" panes={[preview, code]} value={right()} onPick={setRight} />
          </div>
        }
      >
        <Panes label="The card" panes={[blocks, preview, json, code]} value={only()} onPick={setOnly} />
      </Show>
      <PassingNote />
      <Gallery open={props.gallery} onOpen={props.onGallery} />
    </>
  )
}

/** The control of the deepest thing on the screen that the path leads to. */
function focusField({ path }: Problem): void {
  for (let length = path.length; length > 0; length--) {
    const place = document.querySelector(`[data-path="${CSS.escape(fieldName(path.slice(0, length)))}"]`)
    const control = place?.querySelector('.block-fields, .field')
      ? place.querySelector('.block-fields :is(input, textarea, select, button)')
      : place?.querySelector('input, textarea, select, button')
    if (!(control instanceof HTMLElement)) continue
    control.focus()
    return
  }
}
