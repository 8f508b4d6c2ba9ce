// Loads the parts that questions and receipts need, once a card has one: most channels have none.
import { createSignal, type JSX, Show } from 'solid-js'
import { LinkButton } from '../../ui/button.tsx'
import './load-decision.css'

type Parts = typeof import('./parts.tsx')

const [parts, setParts] = createSignal<Parts>()
const [failed, setFailed] = createSignal(false)
let isLoading = false

async function load(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    const loaded = await import('./parts.tsx')
    setParts(() => loaded)
  } catch {
    setFailed(true)
  }
}

/** `essential`: the card is incomplete without it, so it keeps the place and says if loading failed. */
export function WithParts(props: { essential?: boolean; children: (parts: Parts) => JSX.Element }) {
  load()
  return (
    <Show
      when={parts()}
      fallback={
        <Show when={props.essential}>
          <p class="decision-place quiet">
            <Show when={failed()}>
              This question couldn’t be loaded.{' '}
              <LinkButton onClick={() => location.reload()}>Reload the page</LinkButton>
            </Show>
          </p>
        </Show>
      }
    >
      {parts => props.children(parts())}
    </Show>
  )
}
