// The card that is being composed. Its JSON text is what counts; the list of blocks is another way to write it. Every
// change is a step that can be taken back. It knows no server.
import { createContext, createMemo, createSignal, useContext } from 'solid-js'
import type { Card } from '../../shared/card.ts'
import type { Path } from '../../shared/invalid.ts'
import { type BlockKind, kindOf } from './block-examples.ts'
import {
  blocksOf,
  carryKeys,
  duplicateOf,
  insertAt,
  isFields,
  moved,
  setIn,
  withBlocks,
  without,
} from './card-value.ts'
import { formatJson } from './format-json.ts'
import { createHistory } from './history.ts'
import { isDefault, plainCard } from './plain-card.ts'
import { type Problem, readCard } from './reading.ts'

/** What is kept over reloads. `card`: the one that is being changed, as the server had it; null for a new one. */
export type KeptDraft = { text: string; card: Card | null }

/** `value`: what the text said when it last was JSON. `keys` tell the blocks apart, one each. */
type Draft = KeptDraft & { value: unknown; keys: readonly number[] }

/** Said once, in passing, at a time (ms). Where the screen shows it anyway, it is for screen readers only. */
export type Note = { words: string; undo: boolean; silent: boolean; at: number }

export type Builder = ReturnType<typeof createBuilder>

export const EMPTY: KeptDraft = { text: formatJson({ blocks: [] }), card: null }

let lastKey = 0
const freshKey = () => ++lastKey

export function createBuilder(kept: KeptDraft) {
  const history = createHistory(draftOf(kept))
  const [note, setNote] = createSignal<Note>()
  const say = (words: string, { undo = false, silent = false } = {}) =>
    setNote({ words, undo, silent, at: Date.now() })
  const [open, setOpen] = createSignal<number>()
  /** The block that was just added: it takes the focus. */
  const [added, setAdded] = createSignal<number>()
  const text = createMemo(() => history.now().text)
  const card = createMemo(() => history.now().card)
  const reading = createMemo(() => readCard(text()))
  const value = () => history.now().value
  const blocks = createMemo(() => blocksOf(value()))
  const malformed = () => {
    const now = reading()
    return now.state === 'malformed' ? now.problems[0] : undefined
  }

  /** The way back that was offered for the step before would take back this one. */
  function step(next: Draft, kind?: string): void {
    if (note()?.undo) setNote(undefined)
    history.set(next, kind)
  }

  function change(next: unknown, keys: readonly number[], kind?: string): void {
    step({ ...history.now(), text: formatJson(next), value: next, keys }, kind)
  }

  function changeBlocks(next: unknown[], keys: readonly number[]): void {
    change(withBlocks(value(), next), keys)
  }

  /** The JSON as typed. */
  function write(typed: string): void {
    const now = history.now()
    const read = readCard(typed)
    if (read.state === 'malformed') return step({ ...now, text: typed }, 'text')
    const keys = carryKeys({ blocks: blocks(), keys: now.keys }, blocksOf(read.value), freshKey)
    step({ ...now, text: typed, value: read.value, keys }, 'text')
  }

  /** A field; undefined takes it away. What the service would fill in is not written. */
  function edit(path: Path, next: unknown): void {
    const written = isDefault(String(path.at(-1)), next) ? undefined : next
    change(setIn(value(), path, written), history.now().keys, path.map(String).join('.'))
  }

  /** The example of a kind, at the end. */
  function add(kind: BlockKind): void {
    insert(duplicateOf(kind.example(location.origin), blocks()), blocks().length)
    say(`Added: ${kind.name}.`, { silent: true })
  }

  function duplicate(at: number): void {
    insert(duplicateOf(blocks()[at], blocks()), at + 1)
    say('Duplicated.', { silent: true })
  }

  function insert(block: unknown, at: number): void {
    const key = freshKey()
    // Before its row is there, which asks for it.
    setAdded(key)
    setOpen(key)
    changeBlocks(insertAt(blocks(), at, block), insertAt(history.now().keys, at, key))
  }

  function remove(at: number): void {
    const name = nameOf(blocks()[at])
    changeBlocks(without(blocks(), at), without(history.now().keys, at))
    say(`Deleted: ${name}.`, { undo: true })
  }

  function move(from: number, to: number): void {
    const last = blocks().length - 1
    if (from === to || to < 0 || to > last) return
    const name = nameOf(blocks()[from])
    changeBlocks(moved(blocks(), from, to), moved(history.now().keys, from, to))
    say(`${name} is now ${to + 1} of ${last + 1}.`, { silent: true })
  }

  /** Another card in the place of this one. */
  function replace(next: unknown, words: string): void {
    take(formatJson(next), words)
  }

  /** The JSON of another card, which may be anything. */
  function take(given: string, words: string): void {
    step(draftOf({ text: given, card: null }))
    setOpen(undefined)
    say(words, { undo: true })
  }

  /** A card of a channel, to be changed. */
  function load(given: Card, words: string): void {
    step(draftOf({ text: formatJson(plainCard(given)), card: given }))
    setOpen(undefined)
    say(words, { undo: true })
  }

  /** The same content, for a new card. */
  function detach(): void {
    if (card()) step({ ...history.now(), card: null })
  }

  /** What the card that is being changed is by now on the server. */
  function rebase(known: Card): void {
    history.correct(step => (step.card?.id === known.id ? { ...step, card: known } : step))
  }

  /** The card as it is by now on the server, in the place of what was composed of it. */
  function follow(known: Card): void {
    const next = draftOf({ text: formatJson(plainCard(known)), card: known })
    const keys = carryKeys({ blocks: blocks(), keys: history.now().keys }, blocksOf(next.value), freshKey)
    step({ ...next, keys })
    say('What others changed meanwhile is shown now.')
  }

  function startOver(): void {
    step(draftOf(EMPTY))
    setOpen(undefined)
    say('Started over.', { undo: true })
  }

  function format(): void {
    if (!malformed()) change(value(), history.now().keys)
  }

  /** The JSON as it last could be read. */
  function restore(): void {
    change(value(), history.now().keys)
  }

  function undo(): void {
    if (!history.canUndo()) return
    history.undo()
    setNote(undefined)
  }

  const problems = (): Problem[] => reading().problems
  return {
    text,
    card,
    keys: () => history.now().keys,
    value,
    blocks,
    blockOf: (key: number) => blocks()[history.now().keys.indexOf(key)],
    malformed,
    problems,
    /** Those of a field and of what is in it. */
    problemsAt: (path: Path) => problems().filter(one => path.every((part, i) => one.path[i] === part)),
    isEmpty: () => text() === EMPTY.text && card() === null,
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    redo: history.redo,
    undo,
    write,
    edit,
    add,
    duplicate,
    remove,
    move,
    replace,
    take,
    load,
    detach,
    rebase,
    follow,
    startOver,
    format,
    restore,
    note,
    say,
    hush: () => setNote(undefined),
    open,
    setOpen,
    added,
  }
}

function draftOf({ text, card }: KeptDraft): Draft {
  const read = readCard(text)
  const value = read.state === 'readable' ? read.value : { blocks: [] }
  return { text, card, value, keys: blocksOf(value).map(freshKey) }
}

const nameOf = (block: unknown) => (isFields(block) && kindOf(block.type)?.name) || 'The block'

export const BuilderContext = createContext<Builder>()

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext)
  if (!builder) throw new Error('useBuilder needs a BuilderContext around it')
  return builder
}
