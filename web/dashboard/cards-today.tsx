// How many of today's cards are used, in the navigation. Without a limit there is nothing to show.
import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { Meter } from '../../shared/usage.ts'
import { fetchUsage } from '../data/owner-requests.ts'
import { useSession } from '../data/session.tsx'
import { formatNumber } from '../lib/format.ts'

/** As last read in this tab, so that the next page doesn't begin without it. */
const [known, setKnown] = createSignal<{ user: string; cards: Meter }>()

export function CardsToday(): JSX.Element {
  const { user } = useSession()
  createEffect(on(() => user()?.id, read))

  async function read(id: string | undefined): Promise<void> {
    if (id === undefined) return
    try {
      setKnown({ user: id, cards: (await fetchUsage()).cards })
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
    }
  }

  const limited = () => {
    const now = known()
    if (!now || now.user !== user()?.id || now.cards.limit === null) return undefined
    return { used: now.cards.used, limit: now.cards.limit }
  }

  return (
    <Show when={limited()}>
      {cards => (
        <a
          class="cards-today"
          href="/dashboard/usage"
          classList={{ 'cards-today-full': cards().used >= cards().limit }}
        >
          <span>Cards today</span>
          <span class="cards-today-count">
            {formatNumber(cards().used)} of {formatNumber(cards().limit)}
          </span>
          <span class="track" aria-hidden="true">
            <i style={{ 'inline-size': `${Math.min(100, (100 * cards().used) / cards().limit)}%` }} />
          </span>
        </a>
      )}
    </Show>
  )
}
