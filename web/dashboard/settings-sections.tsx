// The frame of a settings page: links to its sections, and one bar that saves or discards the edits of all of them.
import {
  type Accessor,
  createContext,
  createMemo,
  createSignal,
  For,
  type JSX,
  onCleanup,
  onMount,
  Show,
  useContext,
} from 'solid-js'
import { listen } from '../lib/listen.ts'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/status.tsx'
import { anchorOf } from './anchor.ts'
import './settings-sections.css'

type SectionEntry = { id: string; title: string }
/** A form of a section. `save` resolves to false if the server refused. */
export type SavedForm = {
  section: string
  /** The labels of the changed fields. */
  changed: Accessor<string[]>
  save: () => Promise<boolean>
  discard: () => void
}

type Group = {
  addSection: (entry: SectionEntry) => () => void
  addForm: (form: SavedForm) => () => void
}

const GroupContext = createContext<Group>()

/** Undefined outside a settings page. */
export const useSettingsGroup = () => useContext(GroupContext)

/** Below this distance from the top of the window, a section is the current one (px). */
const CURRENT_PX = 160

export function SettingsSections(props: { children: JSX.Element }): JSX.Element {
  const [sections, setSections] = createSignal<SectionEntry[]>([])
  const [forms, setForms] = createSignal<SavedForm[]>([])
  const edited = createMemo(() => forms().filter(form => form.changed().length > 0))
  const group: Group = {
    addSection(entry) {
      setSections(before => [...before, entry])
      return () => setSections(before => before.filter(other => other !== entry))
    },
    addForm(form) {
      setForms(before => [...before, form])
      return () => setForms(before => before.filter(other => other !== form))
    },
  }
  onMount(() => location.hash !== '' && document.getElementById(location.hash.slice(1))?.scrollIntoView())
  return (
    <GroupContext.Provider value={group}>
      <div class="settings">
        <Anchors sections={sections()} edited={edited().map(({ section }) => section)} />
        <div class="settings-column">
          {props.children}
          {/* Keeps its room: if the page moved when the bar goes, a press would miss. */}
          <div class="save-room">
            <SaveBar edited={edited()} />
          </div>
        </div>
      </div>
    </GroupContext.Provider>
  )
}

function Anchors(props: { sections: SectionEntry[]; edited: string[] }): JSX.Element {
  const [current, setCurrent] = createSignal<string>()
  /** The section of the last link, or the one with the focus. At the end the page can't scroll to it. */
  let chosen: string | undefined

  function follow(): void {
    const { scrollHeight } = document.documentElement
    const isAtEnd = scrollY + innerHeight >= scrollHeight - 1
    if (!isAtEnd) chosen = undefined
    const passed = props.sections.filter(({ id }) => {
      const section = document.getElementById(id)
      return section !== null && section.getBoundingClientRect().top <= CURRENT_PX
    })
    const last = isAtEnd && scrollY > 0 ? props.sections.at(-1) : (passed.at(-1) ?? props.sections[0])
    setCurrent(chosen ?? last?.id)
  }

  /** A navigation would ask about unsaved edits. */
  function go(event: MouseEvent, id: string): void {
    const section = document.getElementById(id)
    if (!section || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    section.scrollIntoView()
    section.focus({ preventScroll: true })
    chosen = id
    follow()
    history.replaceState(history.state, '', `#${id}`)
  }

  listen(window, 'scroll', follow)
  listen(document, 'focusin', ({ target }) => {
    const section = target instanceof Element && target.closest('.section')
    if (!section || !props.sections.some(({ id }) => id === section.id)) return
    chosen = section.id
    follow()
  })
  onMount(follow)
  return (
    <nav class="anchors" aria-label="On this page">
      <For each={props.sections}>
        {({ id, title }) => (
          <a
            href={`#${id}`}
            aria-current={current() === id ? 'true' : undefined}
            on:click={event => go(event, id)}
          >
            {title}
            <Show when={props.edited.includes(title)}>
              <Mark status="you" />
              <span class="sr-only"> (not saved)</span>
            </Show>
          </a>
        )}
      </For>
    </nav>
  )
}

function SaveBar(props: { edited: SavedForm[] }): JSX.Element {
  const [busy, setBusy] = createSignal(false)
  /** A bar that disappeared with the focus would lose it. */
  const [focused, setFocused] = createSignal(false)
  const fields = () => props.edited.flatMap(({ changed }) => changed())

  /** One after another: each response holds all fields. Stops at the first problem, which gets the focus. */
  async function save(): Promise<void> {
    if (busy()) return
    setBusy(true)
    const [first] = props.edited
    for (const form of props.edited) if (!(await form.save())) break
    setBusy(false)
    // The bar goes, and would lose the focus.
    if (fields().length === 0 && focused() && first)
      document.getElementById(anchorOf(first.section))?.focus({ preventScroll: true })
  }

  function discard(): void {
    for (const form of props.edited.toReversed()) form.discard()
  }

  function onFocusOut({ currentTarget, relatedTarget }: FocusEvent): void {
    const stays =
      currentTarget instanceof Element &&
      relatedTarget instanceof Node &&
      currentTarget.contains(relatedTarget)
    setFocused(stays)
  }

  return (
    <Show when={fields().length > 0 || busy() || focused()}>
      <section
        class="save-bar"
        aria-label="Unsaved changes"
        onFocusIn={() => setFocused(true)}
        onFocusOut={onFocusOut}
      >
        <p role="status">
          <Show when={fields().length > 0} fallback="All changes are saved.">
            <b>{fields().length === 1 ? '1 unsaved change' : `${fields().length} unsaved changes`}</b>
            <span class="save-bar-fields">: {fields().map(inSentence).join(', ')}</span>
          </Show>
        </p>
        <Button
          class="button button-plain"
          aria-disabled={busy() || fields().length === 0}
          onClick={() => !busy() && discard()}
        >
          Discard
        </Button>
        <Button class="button button-primary" aria-disabled={busy() || fields().length === 0} onClick={save}>
          {busy() ? 'Saving…' : 'Save'}
        </Button>
      </section>
    </Show>
  )
}

/** “Webhook URL” becomes “webhook URL”; “API key” stays. */
const inSentence = (label: string) => label.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

/** Adds a section to the links, for as long as the caller is part of the page. */
export function joinSections(entry: SectionEntry): void {
  const leave = useSettingsGroup()?.addSection(entry)
  if (leave) onCleanup(leave)
}
