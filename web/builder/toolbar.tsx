// What is done to the card as a whole.
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { copyText } from '../ui/copy.tsx'
import { IconRedo, IconUndo } from '../ui/page-icons.tsx'
import { ToastClose } from '../ui/toast.tsx'
import { useBuilder } from './builder.ts'
import { linkOf } from './share-link.ts'

const NOTE_MS = 8_000

export function Toolbar(props: { onExamples: () => void }): JSX.Element {
  const builder = useBuilder()

  async function share(): Promise<void> {
    const copied = await copyText(await linkOf(builder.text(), location.origin))
    builder.say(copied ? 'A link to a copy of this card is copied.' : 'The link could not be copied.')
  }

  return (
    <div class="builder-tools">
      <button
        type="button"
        class="icon-button"
        aria-label="Undo"
        title="Undo (Ctrl+Z)"
        disabled={!builder.canUndo()}
        onClick={builder.undo}
      >
        <IconUndo />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Redo"
        title="Redo (Ctrl+Shift+Z)"
        disabled={!builder.canRedo()}
        onClick={builder.redo}
      >
        <IconRedo />
      </button>
      <button type="button" class="button button-secondary button-small" onClick={() => props.onExamples()}>
        Examples
      </button>
      <button
        type="button"
        class="button button-secondary button-small"
        disabled={builder.isEmpty()}
        onClick={share}
      >
        Copy link
      </button>
      <button
        type="button"
        class="button button-secondary button-small"
        disabled={builder.isEmpty()}
        onClick={builder.startOver}
      >
        Start over
      </button>
    </div>
  )
}

/** What was just done, in passing, and the way back. */
export function PassingNote(): JSX.Element {
  const builder = useBuilder()
  const [held, setHeld] = createSignal(false)
  const timer = setInterval(() => {
    const note = builder.note()
    if (note && !held() && Date.now() - note.at > NOTE_MS) builder.hush()
  }, 1_000)
  onCleanup(() => clearInterval(timer))
  return (
    <div
      class="passing-place"
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Show when={builder.note()}>
        {note => (
          <div classList={{ toast: !note().silent, 'sr-only': note().silent }}>
            <span class="toast-words">{note().words}</span>
            <Show when={note().undo}>
              <button type="button" class="toast-undo" onClick={builder.undo}>
                Undo
              </button>
            </Show>
            <Show when={!note().silent}>
              <ToastClose onClick={builder.hush} />
            </Show>
          </div>
        )}
      </Show>
    </div>
  )
}
