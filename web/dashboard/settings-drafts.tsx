// The unsaved changes of a settings page, which one bar saves or discards. It asks before they are lost.
import { useBeforeLeave } from '@solidjs/router'
import { type Accessor, createMemo, createSignal, type JSX, onCleanup } from 'solid-js'
import { changedLabels, dropEdits, showDefaults } from '../lib/form-values.ts'
import { countOf } from '../lib/format.ts'
import { listen } from '../lib/listen.ts'
import { createRequiredContext } from '../lib/required-context.ts'
import { requestChoice } from '../ui/confirmation.tsx'
import type { FormState } from '../ui/form.tsx'
import { showToast } from '../ui/toast.tsx'
import './settings-drafts.css'

/** The state of a navigation after a deletion: there are no edits to lose. */
export const DELETED = { deleted: true }

export type SectionEntry = { id: string; title: string }
type Change = { section: string; label: string }

/** What a save sends in one go. */
export type SettingsPart = {
  /** Shows what the server would reject. Sends nothing. */
  check: () => boolean
  /** Sends what has changed, if anything has. Resolves to false if the server refused. */
  save: () => Promise<boolean>
  /** An error that concerns no field. */
  error: () => string | undefined
  discard: () => void
  /** Changes that aren't edits of a field. */
  changes?: () => Change[]
  /** Lets people see or do more, so it is sent only after everything else was saved. */
  opens?: () => boolean
}

export type SettingsDrafts = ReturnType<typeof createDrafts>

const [Drafts, useSettingsDrafts] = createRequiredContext<SettingsDrafts>('SettingsDrafts')

export { useSettingsDrafts }

export function SettingsForm(props: { children: (drafts: SettingsDrafts) => JSX.Element }): JSX.Element {
  let form: HTMLFormElement | undefined
  const drafts = createDrafts(() => form)
  askBeforeLeaving(drafts)

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    drafts.save()
  }

  return (
    <Drafts.Provider value={drafts}>
      <form
        class="settings"
        ref={form}
        novalidate
        onSubmit={onSubmit}
        onInput={drafts.look}
        onChange={drafts.look}
      >
        {props.children(drafts)}
      </form>
    </Drafts.Provider>
  )
}

/** Adds what the caller sends to the saves of the page, for as long as the caller is part of it. */
export const joinSave = (part: SettingsPart) => onCleanup(useSettingsDrafts().addPart(part))

export function joinForm(form: FormState, opens?: () => boolean): void {
  const { saveForm } = useSettingsDrafts()
  joinSave({
    check: form.check,
    save: () => saveForm(form),
    error: () => form.errorOf(null),
    discard: form.clear,
    opens,
  })
}

function createDrafts(box: Accessor<HTMLFormElement | undefined>) {
  const [sections, setSections] = createSignal<SectionEntry[]>([])
  const [parts, setParts] = createSignal<SettingsPart[]>([])
  const [edits, setEdits] = createSignal<Change[]>([])
  const [busy, setBusy] = createSignal(false)
  /** The sections that the last save saved, though not all of them. */
  const [savedOnly, setSavedOnly] = createSignal<string[]>([])
  /** The focus when the last save began. */
  let savedFrom: Element | null = null
  const changes = createMemo(() => [...edits(), ...parts().flatMap(part => part.changes?.() ?? [])])
  const changedSections = () => [...new Set(changes().map(({ section }) => section))]

  /** Finds the edits again. */
  function look(): void {
    const found = sections().flatMap(({ id, title }) => {
      const section = box()?.querySelector(`#${id}`)
      return section ? changedLabels(section).map(label => ({ section: title, label })) : []
    })
    setEdits(found)
  }

  async function saveForm(form: FormState): Promise<boolean> {
    const saved = await form.submit(savedFrom)
    // By now, the saved values are the defaults of their fields. They show what the server has made of them.
    await Promise.resolve()
    const element = box()
    if (saved && element) showDefaults(element, form.isSent)
    look()
    return saved
  }

  async function save(): Promise<boolean> {
    if (busy() || changes().length === 0) return false
    const before = changedSections()
    setBusy(true)
    setSavedOnly([])
    savedFrom = document.activeElement
    const saved = await saveParts(parts())
    setBusy(false)
    look()
    if (saved) showToast({ words: 'Saved' })
    else setSavedOnly(before.filter(section => !changedSections().includes(section)))
    return saved
  }

  function discard(): void {
    const element = box()
    if (element) dropEdits(element)
    for (const part of parts()) part.discard()
    setSavedOnly([])
    look()
  }

  return {
    sections,
    changes,
    changedSections,
    savedOnly,
    busy,
    error: () => parts().flatMap(part => part.error() ?? [])[0],
    look,
    save,
    saveForm,
    discard,
    addSection: (entry: SectionEntry) => {
      setSections(before => [...before, entry])
      return () => setSections(before => before.filter(other => other !== entry))
    },
    addPart: (part: SettingsPart) => {
      setParts(before => [...before, part])
      return () => setParts(before => before.filter(other => other !== part))
    },
  }
}

/** Nothing is sent before everything is checked. Stops at the first part that the server refuses. */
async function saveParts(parts: SettingsPart[]): Promise<boolean> {
  if (!parts.every(part => part.check())) return false
  const opening = (part: SettingsPart) => part.opens?.() ?? false
  for (const part of [...parts.filter(part => !opening(part)), ...parts.filter(opening)])
    if (!(await part.save())) return false
  return true
}

function askBeforeLeaving(drafts: SettingsDrafts): void {
  const edited = () => drafts.changes().length > 0
  useBeforeLeave(event => {
    if (event.defaultPrevented || !edited() || event.options?.state === DELETED) return
    event.preventDefault()
    requestChoice({
      question: `Save your changes?\n${describeChanges(drafts.changes().map(({ label }) => label))}`,
      choices: [
        { value: 'stay', label: 'Stay', look: 'secondary' },
        { value: 'leave', label: 'Leave', look: 'secondary' },
        { value: 'save', label: 'Save and leave', look: 'primary' },
      ],
      first: 'save',
    }).then(async choice => {
      if (choice === 'leave' || (choice === 'save' && (await drafts.save()))) event.retry(true)
    })
  })
  listen(window, 'beforeunload', event => edited() && event.preventDefault())
}

export const countChanges = (count: number) => countOf(count, 'unsaved change', 'unsaved changes')

/** “Webhook URL” becomes “webhook URL”; “API key” stays. */
const inSentence = (label: string) => label.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

export const listLabels = (labels: string[]) => labels.map(inSentence).join(', ')

const describeChanges = (labels: string[]) => `${countChanges(labels.length)}: ${listLabels(labels)}`
