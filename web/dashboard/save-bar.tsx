// The bar of a settings page that saves all of its unsaved changes, or discards them.
import { createSignal, type JSX, Show } from 'solid-js'
import { Button } from '../ui/button.tsx'
import { IconWarning } from '../ui/icons.tsx'
import { anchorOf } from './anchor.ts'
import { countChanges, listLabels, type SettingsDrafts } from './settings-drafts.tsx'
import './save-bar.css'

export function SaveBar(props: { drafts: SettingsDrafts }): JSX.Element {
  const { drafts } = props
  /** A bar that disappeared with the focus would lose it. */
  const [focused, setFocused] = createSignal(false)
  const labels = () => drafts.changes().map(({ label }) => label)
  const idle = () => drafts.busy() || labels().length === 0

  /** The bar goes when nothing is left to save. The focus returns to where the changes were. */
  async function keepFocus(act: () => unknown): Promise<void> {
    const [section] = drafts.changedSections()
    await act()
    if (labels().length === 0 && focused() && section !== undefined)
      document.getElementById(anchorOf(section))?.focus({ preventScroll: true })
  }

  function onFocusOut({ currentTarget, relatedTarget }: FocusEvent): void {
    const stays =
      currentTarget instanceof Element &&
      relatedTarget instanceof Node &&
      currentTarget.contains(relatedTarget)
    setFocused(stays)
  }

  return (
    <Show when={labels().length > 0 || drafts.busy() || focused()}>
      <section
        class="save-bar"
        aria-label="Unsaved changes"
        onFocusIn={() => setFocused(true)}
        onFocusOut={onFocusOut}
      >
        <div class="save-bar-words">
          <p role="status">
            <Show when={labels().length > 0} fallback="All changes are saved.">
              <b>{countChanges(labels().length)}</b>
              <span class="save-bar-fields">: {listLabels(labels())}</span>
            </Show>
          </p>
          <div role="alert">
            <Show when={drafts.error()}>
              {error => (
                <p class="form-error">
                  <IconWarning />
                  {error()}
                </p>
              )}
            </Show>
            <Show when={drafts.savedOnly().length > 0}>
              <p>
                Not saved: {drafts.changedSections().join(', ')}. Saved: {drafts.savedOnly().join(', ')}.
              </p>
            </Show>
          </div>
        </div>
        <Button
          class="button button-plain"
          aria-disabled={idle()}
          onClick={() => !drafts.busy() && keepFocus(drafts.discard)}
        >
          Discard
        </Button>
        {/* The Enter key of any field presses it too. */}
        <button
          type="submit"
          class="button button-primary"
          aria-disabled={idle()}
          onClick={event => {
            event.preventDefault()
            keepFocus(drafts.save)
          }}
        >
          {drafts.busy() ? 'Saving…' : 'Save'}
        </button>
      </section>
    </Show>
  )
}
