// The JSON of the card in CodeMirror, without CodeMirror's history: the builder has one for blocks and text.
import { defaultKeymap, indentLess, insertNewlineAndIndent } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Annotation, EditorState, type Extension } from '@codemirror/state'
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
import { type Builder, useBuilder } from './builder.ts'
import type { TextRange } from './json-positions.ts'
import type { Problem } from './parse-card.ts'
import './json-editor.css'

/** Marks the builder's own changes, which must not return to it. */
const fromBuilder = Annotation.define<boolean>()

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--success)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning)' },
])

export default function JsonEditor(): JSX.Element {
  const builder = useBuilder()
  let box: HTMLDivElement | undefined

  onMount(() => {
    const state = EditorState.create({ doc: builder.text(), extensions: extensionsFor(builder) })
    const view = new EditorView({ parent: box, state })
    createEffect(() => replaceText(view, builder.text()))
    createEffect(
      on([builder.text, builder.problems], ([, problems]) => {
        const diagnostics = problems.map(problem => diagnosticOf(problem, view))
        view.dispatch(setDiagnostics(view.state, diagnostics))
      }),
    )
    createEffect(() => {
      const range = builder.revealed()
      if (!range) return
      select(view, range)
      builder.reveal(undefined)
    })
    onCleanup(() => view.destroy())
  })

  return <div class="box json-editor" ref={box} />
}

function extensionsFor(builder: Builder): Extension[] {
  return [
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
      { key: 'Mod-z', run: handled(builder.undo), preventDefault: true },
      { key: 'Mod-y', mac: 'Mod-Shift-z', run: handled(builder.redo), preventDefault: true },
      { key: 'Mod-Shift-z', run: handled(builder.redo), preventDefault: true },
      { key: 'Enter', run: insertNewlineAndIndent },
      { key: 'Shift-Tab', run: indentLess },
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of(update => {
      const typed = update.transactions.every(transaction => transaction.annotation(fromBuilder) !== true)
      if (update.docChanged && typed) builder.setText(update.state.doc.toString())
    }),
  ]
}

const handled = (work: () => void) => () => {
  work()
  return true
}

/** The cursor stays in place, because only the difference is replaced. */
function replaceText(view: EditorView, text: string): void {
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

function diagnosticOf(problem: Problem, view: EditorView): Diagnostic {
  const { message, hint } = problem
  const range = clamp(problem, view)
  return { ...range, severity: 'error', message: hint === null ? message : `${message}: ${hint}` }
}

function select(view: EditorView, range: TextRange): void {
  const { from, to } = clamp(range, view)
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
  view.focus()
}

/** The problems may belong to a longer text than the editor's. */
function clamp({ from, to }: TextRange, view: EditorView): TextRange {
  const end = view.state.doc.length
  return { from: Math.min(from, end), to: Math.min(to, end) }
}
