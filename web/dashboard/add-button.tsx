// The button below a list that adds a row for another entry.
import { type JSX, Show } from 'solid-js'
import { SmallButton } from '../ui/button.tsx'
import { IconPlus } from '../ui/page-icons.tsx'

/** `add`: the button's words, such as “New attribute”. `full`: why there can't be another one. */
export function AddButton(props: { add: string; full: string | false; onClick: () => void }): JSX.Element {
  return (
    <Show
      when={props.full}
      fallback={
        <div class="line">
          <SmallButton onClick={() => props.onClick()}>
            <IconPlus />
            {props.add}
          </SmallButton>
        </div>
      }
    >
      <p class="hint">{props.full}</p>
    </Show>
  )
}
