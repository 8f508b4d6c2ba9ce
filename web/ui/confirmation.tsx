// Asks people to confirm an action. It is part of the first load, so it also works without a network.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { render } from 'solid-js/web'
import { onKey } from '../lib/on-key.ts'
import { Modal } from './modal.tsx'
import './confirmation.css'

/** In characters: a longer first line is text. */
const TITLE_MAX = 80

type Choice<Value> = { value: Value; label: string; look: 'primary' | 'secondary' | 'danger-solid' }

type Question<Value> = {
  /** Its first line is the title. */
  question: string
  /** What the question is about, such as the title of a card. */
  about?: string
  choices: Choice<Value>[]
  /** The choice that starts with the focus. */
  first: Value
}

/** Resolves to null if people close the question. */
export function requestChoice<Value extends string>(question: Question<Value>): Promise<Value | null> {
  return new Promise(resolve => {
    const remove = render(
      () => (
        <QuestionDialog
          {...question}
          onAnswer={value => {
            remove()
            resolve(question.choices.find(choice => choice.value === value)?.value ?? null)
          }}
        />
      ),
      document.createElement('div'),
    )
  })
}

type Confirmation = {
  question: string
  about?: string
  yes: string
  no?: string
  /** The action can't be undone, so the focus starts on the other button. */
  danger?: boolean
}

export async function requestConfirmation({ yes, no, danger, ...rest }: Confirmation): Promise<boolean> {
  const choice = await requestChoice({
    ...rest,
    choices: [
      { value: 'no', label: no ?? 'Cancel', look: 'secondary' },
      { value: 'yes', label: yes, look: danger ? 'danger-solid' : 'primary' },
    ],
    first: danger ? 'no' : 'yes',
  })
  return choice === 'yes'
}

/** Ignores a held Enter key, so that the press that opened a question doesn't answer it. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

function QuestionDialog(props: Question<string> & { onAnswer: (value: string) => void }): JSX.Element {
  const id = createUniqueId()
  let answer = ''
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
            if (event.submitter instanceof HTMLButtonElement) answer = event.submitter.value
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
            <For each={props.choices}>
              {choice => (
                <button
                  type="submit"
                  value={choice.value}
                  class={`button button-${choice.look}`}
                  autofocus={choice.value === props.first}
                >
                  {choice.label}
                </button>
              )}
            </For>
          </div>
        </form>
      )}
    </Modal>
  )
}
