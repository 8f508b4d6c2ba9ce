// Asks before something is done. The browser's own modal dialog: the focus stays in it and comes back, Escape says no,
// and it weighs nothing, so it is also there without a network.
import { createUniqueId, type JSX, onMount } from 'solid-js'
import { render } from 'solid-js/web'

export type Question = {
  question: string
  yes: string
  /** What goes on instead; `Cancel` where it is not given. */
  no?: string
  /** Then the focus is on the way back. */
  danger: boolean
}

/** Resolves with whether the answer was yes. */
export function ask(question: Question): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'))
  return new Promise(resolve => {
    const close = render(
      () => (
        <AskDialog
          {...question}
          onAnswer={yes => {
            close()
            place.remove()
            resolve(yes)
          }}
        />
      ),
      place,
    )
  })
}

/** A key that is held down is one press: it acts once, and does not answer what it has just asked. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

function AskDialog(props: Question & { onAnswer: (yes: boolean) => void }): JSX.Element {
  const id = createUniqueId()
  let dialog: HTMLDialogElement | undefined
  let answered = false
  onMount(() => dialog?.showModal())

  /** At once: the event `close` comes later, when the next key may have been pressed. */
  function answer(yes: boolean): void {
    if (answered) return
    answered = true
    dialog?.close()
    props.onAnswer(yes)
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    answer(event.submitter instanceof HTMLButtonElement && event.submitter.value === 'yes')
  }

  return (
    <dialog
      class="ask"
      ref={dialog}
      role="alertdialog"
      aria-labelledby={id}
      onCancel={() => answer(false)}
      onClose={() => answer(false)}
      onKeyDown={ignoreHeldEnter}
    >
      <form class="ask-form" onSubmit={onSubmit}>
        <p id={id} class="ask-question">
          {props.question}
        </p>
        <div class="ask-answers">
          <button type="submit" value="" class="button button-secondary" autofocus={props.danger}>
            {props.no ?? 'Cancel'}
          </button>
          <button
            type="submit"
            value="yes"
            class={`button ${props.danger ? 'button-danger' : 'button-primary'}`}
            autofocus={!props.danger}
          >
            {props.yes}
          </button>
        </div>
      </form>
    </dialog>
  )
}
