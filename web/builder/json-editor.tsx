// The JSON of the card, to be edited by hand. CodeMirror: it loads when it is first wanted. Its own history is off:
// the builder has one for the list and the text together.
import { defaultKeymap, indentLess, insertNewlineAndIndent } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Annotation, EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { createEffect, type JSX, on, onCleanup, onMount } from 'solid-js'
import { useBuilder } from './builder.ts'
import type { Problem } from './reading.ts'

export type Reveal = { from: number; to: number }

/** A change that comes from the builder, and need not be told to it. */
const fromBuilder = Annotation.define<boolean>()

/** Colours are the stylesheet's. */
const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, class: 'json-name' },
  { tag: tags.string, class: 'json-text' },
  { tag: [tags.number, tags.bool, tags.null], class: 'json-word' },
])

/** `reveal`: what is to be shown once; `onReveal` tells that it was. */
export type JsonEditorProps = { reveal: Reveal | undefined; onReveal: () => void }

export default function JsonEditor(props: JsonEditorProps): JSX.Element {
  const builder = useBuilder()
  let place: HTMLDivElement | undefined

  onMount(() => {
    const view = new EditorView({
      parent: place,
      state: EditorState.create({
        doc: builder.text(),
        extensions: [
          lineNumbers(),
          lintGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          json(),
          syntaxHighlighting(highlighting),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'JSON of the card', 'aria-multiline': 'true' }),
          keymap.of([
            { key: 'Mod-z', run: taken(builder.undo), preventDefault: true },
            { key: 'Mod-y', mac: 'Mod-Shift-z', run: taken(builder.redo), preventDefault: true },
            { key: 'Mod-Shift-z', run: taken(builder.redo), preventDefault: true },
            { key: 'Enter', run: insertNewlineAndIndent },
            { key: 'Shift-Tab', run: indentLess },
            ...defaultKeymap,
          ]),
          EditorView.updateListener.of(update => {
            const own = update.transactions.every(one => one.annotation(fromBuilder) !== true)
            if (update.docChanged && own) builder.write(update.state.doc.toString())
          }),
        ],
      }),
    })

    createEffect(on(builder.text, text => follow(view, text)))
    createEffect(
      on([builder.text, builder.problems], ([, problems]) => {
        view.dispatch(
          setDiagnostics(
            view.state,
            problems.map(problem => diagnosticOf(problem, view)),
          ),
        )
      }),
    )
    createEffect(
      on(
        () => props.reveal,
        reveal => {
          if (!reveal) return
          show(view, reveal)
          props.onReveal()
        },
      ),
    )
    onCleanup(() => view.destroy())
  })

  return <div class="json-editor" ref={place} />
}

const taken = (work: () => void) => () => {
  work()
  return true
}

/** Replaces only what differs, so that the cursor stays where it is. */
function follow(view: EditorView, text: string): void {
  const now = view.state.doc.toString()
  if (now === text) return
  let from = 0
  while (from < now.length && now[from] === text[from]) from++
  let same = 0
  const rest = Math.min(now.length, text.length) - from
  while (same < rest && now.at(-1 - same) === text.at(-1 - same)) same++
  view.dispatch({
    changes: { from, to: now.length - same, insert: text.slice(from, text.length - same) },
    annotations: fromBuilder.of(true),
  })
}

function diagnosticOf({ from, to, message, hint }: Problem, view: EditorView): Diagnostic {
  const end = view.state.doc.length
  return {
    from: Math.min(from, end),
    to: Math.min(to, end),
    severity: 'error',
    message: hint === null ? message : `${message}: ${hint}`,
  }
}

function show(view: EditorView, { from, to }: Reveal): void {
  const end = view.state.doc.length
  view.dispatch({
    selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
    effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
  })
  view.focus()
}
