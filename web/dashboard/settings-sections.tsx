// The frame of a settings page: links to its sections, the form around them, and the bar that saves it.
import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { listen } from '../lib/listen.ts'
import { Mark } from '../ui/status.tsx'
import { SaveBar } from './save-bar.tsx'
import { type SectionEntry, SettingsForm, useSettingsDrafts } from './settings-drafts.tsx'
import './settings-sections.css'

export function SettingsSections(props: { children: JSX.Element }): JSX.Element {
  return (
    <SettingsForm>
      {drafts => (
        <>
          <Anchors sections={drafts.sections()} changed={drafts.changedSections()} />
          <div class="settings-column">
            {props.children}
            {/* Keeps its room: if the page moved when the bar goes, a press would miss. */}
            <div class="save-room">
              <SaveBar drafts={drafts} />
            </div>
          </div>
        </>
      )}
    </SettingsForm>
  )
}

/** Adds a section to the links, for as long as the caller is part of the page. */
export const joinSections = (entry: SectionEntry) => onCleanup(useSettingsDrafts().addSection(entry))

function Anchors(props: { sections: SectionEntry[]; changed: string[] }): JSX.Element {
  const [current, setCurrent] = createSignal<string>()
  /** The section of the last link, or the one with the focus, until the page scrolls on. */
  let chosen: { id: string; scrolled: number } | undefined

  function follow(): void {
    if (chosen && Math.abs(scrollY - chosen.scrolled) > innerHeight / 3) chosen = undefined
    setCurrent(chosen?.id ?? sectionOnScreen(props.sections.map(({ id }) => id)))
  }

  function choose(id: string): void {
    chosen = { id, scrolled: scrollY }
    follow()
  }

  function show(id: string): void {
    const section = props.sections.some(section => section.id === id) && document.getElementById(id)
    if (!section) return
    section.scrollIntoView()
    section.focus({ preventScroll: true })
    choose(id)
  }

  /** A navigation would ask about unsaved edits. */
  function go(event: MouseEvent, id: string): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    show(id)
    history.replaceState(history.state, '', `#${id}`)
  }

  const showHash = () => location.hash !== '' && show(location.hash.slice(1))

  listen(window, 'scroll', follow)
  listen(window, 'resize', follow)
  listen(window, 'hashchange', showHash)
  listen(document, 'focusin', ({ target }) => {
    const section = target instanceof Element && target.closest('.section')
    // The browser scrolls to the focus before the next frame.
    if (section && props.sections.some(({ id }) => id === section.id))
      requestAnimationFrame(() => choose(section.id))
  })
  onMount(() => {
    follow()
    showHash()
  })
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
            <Show when={props.changed.includes(title)}>
              <Mark status="you" />
              <span class="sr-only"> (not saved)</span>
            </Show>
          </a>
        )}
      </For>
    </nav>
  )
}

/**
 * The last section whose heading is in the top third of the window. Towards the end of the page, the last sections can't
 * come so high, so the line moves down. The last section is current only at the end.
 */
function sectionOnScreen(ids: string[]): string | undefined {
  const scrollable = document.documentElement.scrollHeight - innerHeight
  const below = scrollable - scrollY
  if (scrollable < 1) return ids[0]
  if (below < 1) return ids.at(-1)
  const line = Math.max(innerHeight / 3, innerHeight - below)
  const passed = ids.slice(0, -1).filter(id => {
    const section = document.getElementById(id)
    return section !== null && section.getBoundingClientRect().top <= line
  })
  return passed.at(-1) ?? ids[0]
}
