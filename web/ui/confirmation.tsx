// Asks people to confirm an action. It is part of the first load, so it also works without a network.
import { createUniqueId, type JSX, Show } from 'solid-js'
import { render } from 'solid-js/web'
import { onKey } from '../lib/on-key.ts'
import { Modal } from './modal.tsx'
import './confirmation.css'

/** In characters: a longer first line is text. */
const TITLE_MAX = 80

type Confirmation = {
  question: string
  /** What the question is about, such as the title of a card. */
  about?: string
  yes: string
  no?: string
  /** The action can't be undone, so the focus starts on the other button. */
  danger?: boolean
}

export function requestConfirmation(confirmation: Confirmation): Promise<boolean> {
  return new Promise(resolve => {
    const remove = render(
      () => (
        <ConfirmationDialog
          {...confirmation}
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

/** Ignores a held Enter key, so that the press that opened a question doesn't answer it. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

function ConfirmationDialog(props: Confirmation & { onAnswer: (yes: boolean) => void }): JSX.Element {
  const id = createUniqueId()
  let answer = false
  const [first = '', ...others] = props.question.split('\n')
  const title = () => (first.length <= TITLE_MAX ? first : null)
  const rest = () => others.join('\n').trim()
  return (
    <Modal
      class="confirmation"
      labelledBy={id}
      describedBy={props.about === undefined ? undefined : `${id}-about`}
      alert
      onClose={() => props.onAnswer(answer)}
    >
      {close => (
        <form
          class="confirmation-form"
          onKeyDown={onKey(ignoreHeldEnter)}
          onSubmit={event => {
            event.preventDefault()
            answer = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'yes'
            close()
          }}
        >
          <Show when={props.about}>
            <p id={`${id}-about`} class="confirmation-about cut" dir="auto">
              {props.about}
            </p>
          </Show>
          <div id={id} class="confirmation-question">
            <Show when={title()}>{title => <strong class="confirmation-title">{title()}</strong>}</Show>
            {title() ? rest() : props.question}
          </div>
          <div class="confirmation-buttons">
            <button type="submit" value="" class="button button-secondary" autofocus={props.danger}>
              {props.no ?? 'Cancel'}
            </button>
            <button
              type="submit"
              value="yes"
              class={`button ${props.danger ? 'button-danger-solid' : 'button-primary'}`}
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
