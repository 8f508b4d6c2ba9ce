// Says why the card that the address names isn't on the page.
import { Match, Show, Switch } from 'solid-js'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { IconSearch } from '../ui/icons.tsx'
import type { Missing } from './target-card.ts'

export function TargetNote(props: { missing: Missing | undefined; onLook: () => void }) {
  return (
    <div role="status">
      <Show when={props.missing}>
        <Banner icon={<IconSearch />}>
          <Switch fallback={<strong>This card was deleted.</strong>}>
            <Match when={props.missing === 'older'}>
              <strong>This card isn’t among the newest.</strong>{' '}
              <LinkButton onClick={() => props.onLook()}>Search older cards</LinkButton>
            </Match>
            <Match when={props.missing === 'offline'}>
              <strong>This card isn’t on this device.</strong> Reconnect to see it.
            </Match>
          </Switch>
        </Banner>
      </Show>
    </div>
  )
}
