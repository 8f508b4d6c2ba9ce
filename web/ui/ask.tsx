// Asks a question before an action. It is part of the first load, so it also works without a network.
import { createUniqueId, type JSX } from 'solid-js'
import { render } from 'solid-js/web'
import { Modal } from './modal.tsx'
import './ask.css'

export type Question = {
  question: string
  yes: string
  /** `Cancel` if not given. */
  no?: string
  /** The action can't be undone: the focus starts on the way back. */
  danger: boolean
}

/** Resolves with true if the answer was yes. */
export function ask(question: Question): Promise<boolean> {
  return new Promise(resolve => {
    const remove = render(
      () => (
        <AskDialog
          {...question}
          onAnswer={yes => {
            remove()
            resolve(yes)
          }}
        />
      ),
      document.createElement('div'),
    )
  })
}

/** A key that is held down counts once: it must not answer the question that it opened. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

function AskDialog(props: Question & { onAnswer: (yes: boolean) => void }): JSX.Element {
  const id = createUniqueId()
  let answer = false
  return (
    <Modal class="ask" labelledBy={id} alert onClose={() => props.onAnswer(answer)}>
      {close => (
        <form
          class="ask-form"
          onKeyDown={ignoreHeldEnter}
          onSubmit={event => {
            event.preventDefault()
            answer = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'yes'
            close()
          }}
        >
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
      )}
    </Modal>
  )
}
