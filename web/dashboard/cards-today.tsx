// How many of today's cards are used, in the navigation: those of the person, or in a workspace that the person edits, those
// of its owner. Without a limit there is nothing to show.
import { useLocation } from '@solidjs/router'
import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { Meter } from '../../shared/usage.ts'
import { knownChannels } from '../data/own-channels.ts'
import { fetchUsage } from '../data/owner-requests.ts'
import { useSession } from '../data/session.tsx'
import { formatNumber } from '../lib/format.ts'

/** As last read in this tab, so that the next page doesn't begin without it. */
const [known, setKnown] = createSignal<{ user: string; edited: string | undefined; cards: Meter }>()

export function CardsToday(): JSX.Element {
  const { user } = useSession()
  const edited = createEditedWorkspace()
  createEffect(on([() => user()?.id, edited], ([id, workspaceId]) => read(id, workspaceId)))

  async function read(user: string | undefined, edited: string | undefined): Promise<void> {
    if (user === undefined) return
    try {
      setKnown({ user, edited, cards: (await fetchUsage(edited)).cards })
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
    }
  }

  const limited = () => {
    const now = known()
    if (!now || now.user !== user()?.id || now.edited !== edited() || now.cards.limit === null)
      return undefined
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
          <span>{edited() === undefined ? 'Cards today' : 'Owner’s cards today'}</span>
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

/** The workspace of the page, if the person is its editor: cards count for its owner. */
function createEditedWorkspace(): () => string | undefined {
  const { user } = useSession()
  const location = useLocation()
  const named = () => {
    const [, kind, id] = /^\/dashboard\/(workspaces|channels)\/([^/]+)/.exec(location.pathname) ?? []
    const { workspace, channel } = location.query
    return kind === 'workspaces' ? [id] : [workspace, kind === 'channels' ? id : channel]
  }
  return createMemo(() => {
    const ids = named()
    const part = knownChannels(user()?.id).find(
      ({ workspace, channels }) => ids.includes(workspace.id) || channels.some(({ id }) => ids.includes(id)),
    )
    return part?.workspace.role === 'editor' ? part.workspace.id : undefined
  })
}
