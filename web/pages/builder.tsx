// The card builder. An unsent card stays on this device.
import { useLocation, useNavigate, useSearchParams } from '@solidjs/router'
import { createEffect, type JSX, on, onMount, Show } from 'solid-js'
import { BuilderContext, createBuilder } from '../builder/builder.ts'
import { Composer } from '../builder/composer.tsx'
import { createDestination } from '../builder/destination.ts'
import { holdsCard, readFragment } from '../builder/share-link.ts'
import { Toolbar } from '../builder/toolbar.tsx'
import { createUnsentCardSaver, loadUnsentCard, type UnsentCard } from '../builder/unsent-card.ts'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { createLoad, readyValue } from '../ui/load.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

const TITLE = 'Card builder'

export default function BuilderPage(): JSX.Element {
  const { load } = createLoad(loadUnsentCard)
  return (
    <Show
      when={readyValue(load())}
      fallback={
        <DashboardPage title={TITLE} wide>
          <Skeletons label="Loading the card" />
        </DashboardPage>
      }
    >
      {unsent => <Builder unsent={unsent()} />}
    </Show>
  )
}

function Builder(props: { unsent: UnsentCard }): JSX.Element {
  const [search, setSearch] = useSearchParams<{ channel: string; card: string }>()
  const location = useLocation()
  const navigate = useNavigate()
  const { unsent } = props
  const wanted = typeof search.channel === 'string' ? search.channel : undefined
  const builder = createBuilder(unsent)
  const destination = createDestination(
    builder,
    wanted === undefined ? unsent.channel : { id: wanted, name: '' },
    unsent.created,
  )
  createUnsentCardSaver(() => ({
    text: builder.text(),
    card: builder.card(),
    channel: destination.channel(),
    created: destination.created(),
  }))

  /** Runs again when a link opens inside the builder: only the fragment changes then. */
  async function openSharedCard(fragment: string): Promise<void> {
    if (!holdsCard(fragment)) return
    const shared = await readFragment(fragment)
    navigate(location.pathname + location.search, { replace: true, scroll: false })
    if (shared !== null) builder.replace({ text: shared, card: null }, 'Card loaded from the link.')
    else builder.announce('The card in the link can’t be read. Copy the whole link.')
  }

  createEffect(on(() => location.hash, openSharedCard))
  onMount(async () => {
    if (typeof search.card !== 'string') return
    await destination.open(search.card)
    // Without the parameter, a reload keeps the edits.
    setSearch({ card: undefined }, { replace: true })
  })

  return (
    <BuilderContext.Provider value={builder}>
      <DashboardPage title={TITLE} wide actions={<Toolbar />}>
        <Composer destination={destination} />
      </DashboardPage>
    </BuilderContext.Provider>
  )
}
