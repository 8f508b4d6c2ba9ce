// The reply box of an interactive channel. It is one line until it has the focus or a draft; then it says who reads the
// reply, and under which name. Enter sends, Shift+Enter starts a new line, and the draft is saved.
import { createSignal, createUniqueId, Show } from 'solid-js'
import { charCount } from '../../shared/characters.ts'
import { REPLY_MAX } from '../../shared/limits.ts'
import { afterPointerUp } from '../card/after-pointer-up.ts'
import { useInteractions } from '../card/interactions.ts'
import { useFeed } from '../data/channel/page-feed.ts'
import { initialsOf } from '../lib/initials.ts'
import { onKey } from '../lib/on-key.ts'
import { growWith } from '../ui/grow-with.ts'
import { IconLock, IconSend } from '../ui/icons.tsx'
import { createShortcuts } from '../ui/shortcuts.ts'
import { REPLY_DRAFT } from './interaction-notes.tsx'
import { NameChoice, useByName } from './name-choice.tsx'
import '../ui/avatar.css'
import './reply-box.css'

const COUNT_FROM = 500

/** `name`: the channel's. */
export function ReplyBox(props: { name: string | undefined }) {
  const { drafts } = useFeed()
  const interactions = useInteractions()
  const id = createUniqueId()
  const [empty, setEmpty] = createSignal(false)
  const { focused, listeners } = createFocused()
  const isOpen = () => focused() || text() !== '' || isWrong()
  const text = () => {
    const draft = drafts.read(...REPLY_DRAFT)
    return typeof draft === 'string' ? draft : ''
  }
  const label = () => (props.name === undefined ? 'Reply' : `Reply to ${props.name}`)
  const left = () => REPLY_MAX - charCount(text())
  const isWrong = () => left() < 0 || empty()
  const note = () => {
    if (left() < 0) return `${countCharacters(-left())} too many`
    if (empty()) return 'Write something first'
    return left() <= COUNT_FROM ? `${countCharacters(left())} left` : undefined
  }
  let box: HTMLTextAreaElement | undefined
  createShortcuts({ reply: () => box?.focus() })

  function send(event: Event): void {
    event.preventDefault()
    box?.focus()
    const reply = text()
    setEmpty(reply.trim() === '')
    if (isWrong()) return
    const trigger = { type: 'reply' as const, text: reply }
    if (interactions.send({ card_id: null, trigger, label: reply }) !== null) drafts.discard(...REPLY_DRAFT)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey) send(event)
  }

  function onInput(event: { currentTarget: HTMLTextAreaElement }): void {
    setEmpty(false)
    drafts.write(...REPLY_DRAFT, event.currentTarget.value)
  }

  return (
    <form class="composer reply" classList={{ 'composer-open': isOpen() }} onSubmit={send} {...listeners}>
      <textarea
        ref={area => {
          box = area
          growWith(area, text)
        }}
        rows={1}
        data-kept
        dir="auto"
        aria-label={label()}
        placeholder={`${label()}…`}
        enterkeyhint="send"
        value={text()}
        aria-invalid={isWrong() ? 'true' : undefined}
        aria-describedby={`${id} ${id}-readers`}
        onInput={onInput}
        onKeyDown={onKey(onKeyDown)}
        onBlur={() => setEmpty(false)}
      />
      <Me onClick={() => box?.focus()} />
      <div class="composer-foot">
        <IconLock />
        <span class="composer-words">
          <span id={`${id}-readers`}>Only the owner and editors see this</span>
          <NameChoice />
          <span id={id} classList={{ 'form-error': isWrong() }} role="status">
            {note()}
          </span>
        </span>
        <button type="submit" class="button button-primary reply-send" aria-label="Send" title="Send (Enter)">
          <IconSend />
        </button>
      </div>
    </form>
  )
}

/** Whether the focus is in the form. A press on something above must not miss because the box becomes lower. */
function createFocused() {
  const [focused, setFocused] = createSignal(false)
  function onFocusOut({
    currentTarget: form,
    relatedTarget,
  }: FocusEvent & { currentTarget: HTMLElement }): void {
    const isInside = (target: EventTarget | null) => target instanceof Node && form.contains(target)
    if (!isInside(relatedTarget)) afterPointerUp(() => setFocused(isInside(document.activeElement)))
  }
  return { focused, listeners: { onFocusIn: () => void setFocused(true), onFocusOut } }
}

/** The initials under which the viewer acts, while the box is closed. */
function Me(props: { onClick: () => void }) {
  const { viewer } = useFeed()
  const byName = useByName()
  return (
    <Show when={viewer()?.you.name}>
      {name => {
        const words = () => (byName() ? `Acting as ${name()}` : 'Acting without a name')
        return (
          <button
            type="button"
            class="icon-button composer-me"
            // The keyboard reaches the text, which opens the box.
            tabIndex={-1}
            title={words()}
            // With the focus, it would vanish under the pointer.
            onMouseDown={event => event.preventDefault()}
            onClick={() => props.onClick()}
          >
            <span class="avatar" classList={{ 'avatar-me': byName() }} aria-hidden="true">
              {byName() ? initialsOf(name()) : '?'}
            </span>
            <span class="sr-only">{words()}</span>
          </button>
        )
      }}
    </Show>
  )
}

const countCharacters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)
