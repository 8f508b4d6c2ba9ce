// A form of a settings page: it says that edits are not saved yet, can drop them, and asks before they are lost.
import { useBeforeLeave } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { dropEdits, isEdited, showDefaults } from '../lib/form-values.ts'
import { ask } from '../ui/ask.tsx'
import { Form, type FormProps } from '../ui/form.tsx'

/** With an `aside` of its own it has no button to drop the edits. */
export type SettingsFormProps = FormProps & {
  /** The title of its part of the page, for the question. */
  what: string
}

/** The state of a navigation away from what is gone: there is nothing to keep. */
export const GONE = { gone: true }

export function SettingsForm(props: SettingsFormProps): JSX.Element {
  const [edited, setEdited] = createSignal(false)
  let box: HTMLDivElement | undefined
  const form = () => box?.querySelector('form') ?? undefined

  function look(): void {
    const element = form()
    setEdited(element !== undefined && isEdited(element))
  }

  /** What was taken stands there as the server has it; a password stands there no more. */
  function showSaved(): void {
    const element = form()
    if (element) showDefaults(element, props.form.isSent)
    look()
    // Something was entered meanwhile.
    if (edited()) props.form.touch()
  }

  function discard(): void {
    const element = form()
    if (!element) return
    dropEdits(element)
    props.form.clear()
    look()
    element.querySelector('input')?.focus()
  }

  useBeforeLeave(event => {
    if (event.defaultPrevented || !edited() || event.options?.state === GONE) return
    event.preventDefault()
    ask({
      question: `Your changes under “${props.what}” are not saved.`,
      yes: 'Leave without saving',
      no: 'Keep editing',
      danger: true,
    }).then(yes => yes && event.retry(true))
  })

  function onBeforeUnload(event: BeforeUnloadEvent): void {
    if (edited()) event.preventDefault()
  }

  onMount(() => window.addEventListener('beforeunload', onBeforeUnload))
  onCleanup(() => window.removeEventListener('beforeunload', onBeforeUnload))
  // What was saved comes back as the server has it, and into the fields' defaults, before this.
  createEffect(on(props.form.saved, saved => saved && queueMicrotask(showSaved), { defer: true }))

  return (
    <div ref={box} onInput={look} onChange={look}>
      <Form
        form={props.form}
        submit={props.submit}
        busy={props.busy}
        done={props.done}
        look={props.look}
        waiting={props.waiting}
        aside={
          props.aside ?? (
            <Show when={edited() && !props.form.busy()}>
              <button type="button" class="button button-quiet" onClick={discard}>
                Discard
              </button>
              <span class="form-unsaved">Not saved yet</span>
            </Show>
          )
        }
      >
        {props.children}
      </Form>
    </div>
  )
}
