// The card builder. A draft stays on this device until it is sent.
import { useLocation, useNavigate, useSearchParams } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onMount, Show } from 'solid-js'
import { BuilderContext, createBuilder } from '../builder/builder.ts'
import { Composer } from '../builder/composer.tsx'
import { createDestination } from '../builder/destination.ts'
import { holdsCard, readFragment } from '../builder/share-link.ts'
import { Toolbar } from '../builder/toolbar.tsx'
import { createUnsentCardSaver, loadUnsentCard, type UnsentCard } from '../builder/unsent-card.ts'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { createLoad, readyValue } from '../ui/load.tsx'

const TITLE = 'Card builder'

export default function BuilderPage(): JSX.Element {
  const { load } = createLoad(loadUnsentCard)
  return (
    <Show
      when={readyValue(load())}
      fallback={
        <DashboardPage title={TITLE} wide>
          <p class="quiet">Loading…</p>
        </DashboardPage>
      }
    >
      {kept => <Builder kept={kept()} />}
    </Show>
  )
}

function Builder(props: { kept: UnsentCard }): JSX.Element {
  const [search, setSearch] = useSearchParams<{ channel: string; card: string }>()
  const location = useLocation()
  const navigate = useNavigate()
  const [gallery, setGallery] = createSignal(false)
  const { kept } = props
  const wanted = typeof search.channel === 'string' ? search.channel : undefined
  const builder = createBuilder(kept)
  const destination = createDestination(
    builder,
    wanted === undefined ? kept.channel : { id: wanted, name: '' },
  )
  createUnsentCardSaver(() => ({
    text: builder.text(),
    card: builder.card(),
    channel: destination.channel(),
  }))

  /** Runs again when a link is opened inside the builder, which only changes the fragment. */
  async function takeShared(fragment: string): Promise<void> {
    if (!holdsCard(fragment)) return
    const shared = await readFragment(fragment)
    navigate(location.pathname + location.search, { replace: true, scroll: false })
    if (shared !== null) builder.replace({ text: shared, card: null }, 'This card came with the link.')
    else builder.announce('The card in the link can’t be read. Copy the whole link.')
  }

  createEffect(on(() => location.hash, takeShared))
  onMount(async () => {
    if (typeof search.card !== 'string') return
    await destination.open(search.card)
    // A reload keeps the edits made since.
    setSearch({ card: undefined }, { replace: true })
  })

  return (
    <BuilderContext.Provider value={builder}>
      <DashboardPage title={TITLE} wide actions={<Toolbar onExamples={() => setGallery(true)} />}>
        <Composer destination={destination} gallery={gallery()} onGallery={setGallery} />
      </DashboardPage>
    </BuilderContext.Provider>
  )
}
