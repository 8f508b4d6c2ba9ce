// The form of a settings section. It knows its edits, and asks before they are lost. On a settings page, the page's bar
// saves it; a form that creates something, or has its own buttons, saves itself.
import { useBeforeLeave } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import { changedLabels, dropEdits, showDefaults } from '../lib/form-values.ts'
import { listen } from '../lib/listen.ts'
import { Button } from '../ui/button.tsx'
import { requestConfirmation } from '../ui/confirmation.tsx'
import { Form, type FormState } from '../ui/form.tsx'
import { useSettingsGroup } from './settings-sections.tsx'
import './settings-form.css'

/** The state of a navigation after a deletion: there are no edits to lose. */
export const DELETED = { deleted: true }

export function SettingsForm(props: {
  form: FormState
  section: string
  /** The button's text, if the form creates. It takes the focus back for the next entry. */
  create?: string
  aside?: JSX.Element
  children: JSX.Element
}): JSX.Element {
  const [changed, setChanged] = createSignal<string[]>([])
  const edited = () => changed().length > 0
  const group = props.create || props.aside ? undefined : useSettingsGroup()
  let box: HTMLDivElement | undefined

  function checkEdits(): void {
    const form = box?.querySelector('form')
    setChanged(form ? changedLabels(form) : [])
  }

  /** Shows the values as the server has normalized them, and empties passwords. */
  function showSaved(): void {
    const form = box?.querySelector('form')
    if (form) showDefaults(form, props.form.isSent)
    checkEdits()
    // A person typed while the form was being saved.
    if (edited()) props.form.touch()
    if (props.create) props.form.focusIfStill(box?.querySelector('input'))
  }

  function discard(): void {
    const form = box?.querySelector('form')
    if (!form) return
    dropEdits(form)
    props.form.clear()
    checkEdits()
    form.querySelector('input')?.focus()
  }

  const leave = group?.addForm({ section: props.section, changed, save: props.form.submit, discard })
  if (leave) onCleanup(leave)

  useBeforeLeave(event => {
    if (event.defaultPrevented || !edited() || event.options?.state === DELETED) return
    event.preventDefault()
    requestConfirmation({
      question: `Your changes under “${props.section}” aren’t saved.`,
      yes: 'Leave without saving',
      no: 'Keep editing',
      danger: true,
    }).then(yes => yes && event.retry(true))
  })

  listen(window, 'beforeunload', event => edited() && event.preventDefault())
  // The microtask runs after the saved values have become the fields' defaults.
  createEffect(on(props.form.saved, saved => saved && queueMicrotask(showSaved), { defer: true }))

  return (
    <div ref={box} onInput={checkEdits} onChange={checkEdits}>
      <Form
        form={props.form}
        submit={props.create ?? 'Save'}
        busy={props.create ? 'Creating…' : 'Saving…'}
        done={props.create ? undefined : 'Saved'}
        look={props.create ? 'secondary' : 'primary'}
        savedElsewhere={group !== undefined}
        aside={
          props.aside ?? (
            <Show when={!group && edited() && !props.form.busy()}>
              <Button class="button button-quiet" onClick={discard}>
                Discard
              </Button>
              <span class="hint">Not saved yet</span>
            </Show>
          )
        }
      >
        {props.children}
      </Form>
    </div>
  )
}
