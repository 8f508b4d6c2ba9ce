// The dialog with the keyboard shortcuts, and the switch for those with a single key.
import { For, type JSX, Show } from 'solid-js'
import { useSession } from '../data/session.tsx'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/choice.tsx'
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
          <header>
            <h2>Keyboard shortcuts</h2>
            <Button onClick={close}>Close</Button>
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
                          <For each={shortcut.keys}>
                            {(key, i) => (
                              <>
                                <Show when={i() > 0}>
                                  <span class="quiet"> then </span>
                                </Show>
                                <kbd>{keyWords(key)}</kbd>
                              </>
                            )}
                          </For>
                        </dd>
                      </div>
                    )}
                  </For>
                </dl>
              </section>
            )}
          </For>
          <Switch
            label="Single-key shortcuts"
            about={`When off, only ${keyWords('Mod+K')}, Enter and Esc work.`}
            on={singleKeys()}
            onChange={setSingleKeys}
          />
        </>
      )}
    </Modal>
  )
}
