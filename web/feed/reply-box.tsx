// Where a viewer writes to an interactive channel. Enter sends, Shift+Enter begins a line; what is written is kept.
import { createSignal, createUniqueId, type JSX } from 'solid-js'
import { charCount } from '../../shared/characters.ts'
import { REPLY_MAX } from '../../shared/limits.ts'
import { useActing } from '../card/acting.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { IconSend } from '../ui/icons.tsx'
import { createShortcuts } from '../ui/shortcuts.ts'
import { REPLY_DRAFT } from './interaction-notes.tsx'

/** How near the limit it is told what is left. */
const TELL_AT = 500

export function ReplyBox(): JSX.Element {
  const { drafts } = useFeed()
  const { act } = useActing()
  const id = createUniqueId()
  const [empty, setEmpty] = createSignal(false)
  const text = () => {
    const draft = drafts.read(REPLY_DRAFT.card, REPLY_DRAFT.block)
    return typeof draft === 'string' ? draft : ''
  }
  const left = () => REPLY_MAX - charCount(text())
  const problem = () => {
    if (left() < 0) return `${countCharacters(-left())} too many`
    if (empty()) return 'Write something first'
    return left() <= TELL_AT ? `${countCharacters(left())} left` : undefined
  }
  let box: HTMLTextAreaElement | undefined
  createShortcuts({ reply: () => box?.focus() })

  function send(): void {
    box?.focus()
    const reply = text()
    if (reply.trim() === '') setEmpty(true)
    if (reply.trim() === '' || left() < 0) return
    const trigger = { type: 'reply' as const, text: reply }
    if (act({ card_id: null, trigger, label: reply }) !== null)
      drafts.discard(REPLY_DRAFT.card, REPLY_DRAFT.block)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  }

  function onInput(event: { currentTarget: HTMLTextAreaElement }): void {
    setEmpty(false)
    drafts.write(REPLY_DRAFT.card, REPLY_DRAFT.block, event.currentTarget.value)
  }

  return (
    <form
      class="reply"
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label="Reply"
        placeholder="Reply…"
        enterkeyhint="send"
        value={text()}
        aria-invalid={left() < 0 || empty() ? 'true' : undefined}
        aria-describedby={id}
        onInput={onInput}
        onKeyDown={onKeyDown}
        onBlur={() => setEmpty(false)}
      />
      <button type="submit" class="button button-primary reply-send" aria-label="Send" title="Send (Enter)">
        <IconSend />
      </button>
      <p class="reply-note" id={id} classList={{ 'form-error': left() < 0 || empty() }} role="status">
        {problem()}
      </p>
    </form>
  )
}

function countCharacters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`
}
