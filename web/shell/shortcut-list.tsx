// The dialog with the keyboard shortcuts, and the switch for those of a single key.
import { For, type JSX, Show } from 'solid-js'
import { useSession } from '../data/session.tsx'
import { Modal } from '../ui/modal.tsx'
import { keyWords, SHORTCUTS, type Shortcut, type Where } from '../ui/shortcut-keys.ts'
import { setSingleKeys, singleKeys } from '../ui/shortcuts.ts'
import './shortcut-list.css'

const GROUPS: Where[] = ['Anywhere', 'Go to', 'In a channel']

export default function ShortcutList(props: { onClose: () => void }): JSX.Element {
  const { session } = useSession()
  const all: Shortcut[] = Object.values(SHORTCUTS)
  const of = (where: Where) =>
    all.filter(shortcut => shortcut.where === where && (!shortcut.owner || session().state === 'signed-in'))
  return (
    <Modal class="shortcuts" label="Keyboard shortcuts" onClose={props.onClose}>
      {close => (
        <>
          <header class="shortcuts-head">
            <h2>Keyboard shortcuts</h2>
            <button type="button" class="button button-secondary" onClick={close}>
              Close
            </button>
          </header>
          <For each={GROUPS}>
            {where => (
              <section aria-label={where}>
                <h3>{where}</h3>
                <dl>
                  <For each={of(where)}>
                    {shortcut => (
                      <div>
                        <dt>{shortcut.words}</dt>
                        <dd>
                          <Keys keys={shortcut.keys} />
                        </dd>
                      </div>
                    )}
                  </For>
                </dl>
              </section>
            )}
          </For>
          <div class="field">
            <label class="toggle">
              <input
                type="checkbox"
                role="switch"
                checked={singleKeys()}
                aria-checked={singleKeys()}
                onChange={event => setSingleKeys(event.currentTarget.checked)}
              />
              <span>
                Single-key shortcuts
                <span class="hint">When off, only {keyWords('Mod+K')} and Esc work.</span>
              </span>
            </label>
          </div>
        </>
      )}
    </Modal>
  )
}

export function Keys(props: { keys: readonly string[] }): JSX.Element {
  return (
    <For each={props.keys}>
      {(key, i) => (
        <>
          <Show when={i() > 0}>
            <span class="quiet"> then </span>
          </Show>
          <kbd>{keyWords(key)}</kbd>
        </>
      )}
    </For>
  )
}
