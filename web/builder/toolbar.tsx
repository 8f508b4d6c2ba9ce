// Actions on the whole card, and the toast that announces what happened.
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { copyText } from '../lib/clipboard.ts'
import { IconButton, SmallButton } from '../ui/button.tsx'
import { IconRedo, IconUndo } from '../ui/page-icons.tsx'
import { ToastClose } from '../ui/toast.tsx'
import { useBuilder } from './builder.ts'
import { linkOf } from './share-link.ts'

/** As long as the toasts of other pages. */
const TOAST_MS = 6_000
const UNDO_MS = 10_000

export function Toolbar(): JSX.Element {
  const { text, announce, canUndo, canRedo, undo, redo, isEmpty, startOver, showExamples } = useBuilder()

  async function share(): Promise<void> {
    const copied = await copyText(await linkOf(text(), location.origin))
    announce(copied ? 'Link copied. It opens a copy of this card.' : 'The link couldn’t be copied.')
  }

  return (
    <div class="line builder-tools">
      <IconButton aria-label="Undo" title="Undo (Ctrl+Z)" disabled={!canUndo()} onClick={undo}>
        <IconUndo />
      </IconButton>
      <IconButton aria-label="Redo" title="Redo (Ctrl+Shift+Z)" disabled={!canRedo()} onClick={redo}>
        <IconRedo />
      </IconButton>
      <SmallButton onClick={() => showExamples(true)}>Examples</SmallButton>
      <SmallButton disabled={isEmpty()} onClick={share}>
        Copy link
      </SmallButton>
      <SmallButton disabled={isEmpty()} onClick={startOver}>
        Start over
      </SmallButton>
    </div>
  )
}

export function AnnouncementToast(): JSX.Element {
  const builder = useBuilder()
  const [hovered, setHovered] = createSignal(false)
  const timer = setInterval(() => {
    const announcement = builder.announcement()
    if (!announcement || hovered()) return
    const ms = announcement.undo ? UNDO_MS : TOAST_MS
    if (Date.now() - announcement.at > ms) builder.dismiss()
  }, 1_000)
  onCleanup(() => clearInterval(timer))
  return (
    <div
      class="announcement"
      role="status"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <Show when={builder.announcement()}>
        {announcement => (
          <div classList={{ toast: !announcement().silent, 'sr-only': announcement().silent }}>
            <span class="toast-words">{announcement().text}</span>
            <Show when={announcement().undo}>
              <button type="button" class="toast-undo" onClick={builder.undo}>
                Undo
              </button>
            </Show>
            <Show when={!announcement().silent}>
              <ToastClose onClick={builder.dismiss} />
            </Show>
          </div>
        )}
      </Show>
    </div>
  )
}
