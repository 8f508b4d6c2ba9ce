// Says why the card that the address names isn't on the page.
import { Show } from 'solid-js'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { IconSearch } from '../ui/icons.tsx'

export function TargetNote(props: { missing: 'deleted' | 'older' | undefined; onLook: () => void }) {
  return (
    <div role="status">
      <Show when={props.missing}>
        <Banner icon={<IconSearch />}>
          <Show when={props.missing === 'older'} fallback={<strong>This card was deleted.</strong>}>
            <strong>This card is not among the newest cards.</strong>{' '}
            <LinkButton onClick={() => props.onLook()}>Look further</LinkButton>
          </Show>
        </Banner>
      </Show>
    </div>
  )
}
