// The choices of a question, and the comment that is sent with one of them.
import { createUniqueId, For, Show } from 'solid-js'
import type { BlockButton } from '../../../shared/blocks/button.ts'
import { onKey } from '../../lib/on-key.ts'
import { ignoreHeldEnter } from '../../ui/confirmation.tsx'
import { growWith } from '../../ui/grow-with.ts'
import { IconCheck, IconClock, IconWarning } from '../../ui/icons.tsx'
import type { createPress, Question } from './create-decision.ts'
import '../../ui/field.css'

type Parts = { question: Question; press: ReturnType<typeof createPress> }

export function DecisionButtons(props: Parts) {
  const { block, view, disabledReason } = props.question
  /** At most one button is solid: the first primary. */
  const solid = () => block().buttons.find(({ style }) => style === 'primary')?.id
  const look = ({ id, style }: BlockButton) => (style === 'primary' && id !== solid() ? 'secondary' : style)
  const isChosen = ({ id }: BlockButton) => view().chosen === id
  const ended = () => view().outcome !== null

  async function onClick(button: BlockButton, row: HTMLElement): Promise<void> {
    const isRight = await props.press.press(button)
    if (!isRight) row.closest('.decision')?.querySelector('textarea')?.focus()
  }

  return (
    <div class="decision-buttons">
      <For each={block().buttons}>
        {button => (
          <button
            type="button"
            class={`button button-${look(button)} ${isChosen(button) && !ended() ? 'button-pressed' : ''}`}
            disabled={button.disabled && !ended()}
            aria-disabled={view().buttons === 'inactive' ? 'true' : undefined}
            aria-pressed={ended() && isChosen(button) ? 'true' : undefined}
            aria-busy={view().state === 'sending' && isChosen(button) ? 'true' : undefined}
            title={disabledReason()}
            onClick={event => onClick(button, event.currentTarget)}
            onKeyDown={onKey(ignoreHeldEnter)}
          >
            <Show when={isChosen(button)}>
              <Show when={!ended()} fallback={<IconCheck />}>
                <Show when={view().state === 'sending'} fallback={<IconClock />}>
                  <span class="spinner" aria-hidden="true" />
                </Show>
              </Show>
            </Show>
            <bdi>{button.label}</bdi>
          </button>
        )}
      </For>
    </div>
  )
}

export function CommentField(props: Parts) {
  const id = createUniqueId()
  const { block, view } = props.question
  const { press } = props
  const rules = () => block().buttons.map(press.ruleOf)
  const isUsed = () => rules().some(rule => rule !== 'none')
  const isRequired = () => rules().every(rule => rule === 'required')
  return (
    <Show when={isUsed()}>
      <div class="field">
        <label for={id}>
          Comment
          <Show when={isRequired()}>
            <span class="required" aria-hidden="true">
              {' *'}
            </span>
          </Show>
        </label>
        <textarea
          id={id}
          class="decision-comment"
          ref={area => growWith(area, press.comment)}
          rows={1}
          data-kept
          dir="auto"
          placeholder={rules().includes('required') ? undefined : 'Optional'}
          required={isRequired()}
          readOnly={view().buttons !== 'active'}
          value={press.comment()}
          aria-invalid={press.error() ? 'true' : undefined}
          aria-describedby={press.error() ? `${id}-error ${id}-note` : `${id}-note`}
          onInput={event => press.type(event.currentTarget.value)}
        />
        <Show when={press.error()}>
          {error => (
            <p class="form-error" id={`${id}-error`} role="alert">
              <IconWarning />
              {error()}
            </p>
          )}
        </Show>
        <p class="hint" id={`${id}-note`}>
          Everyone who sees this channel can read it
        </p>
      </div>
    </Show>
  )
}
