// The card builder. A draft stays on this device until it is sent.
import { useLocation, useNavigate, useSearchParams } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onMount, Show } from 'solid-js'
import { BuilderContext, createBuilder } from '../builder/builder.ts'
import { Composer } from '../builder/composer.tsx'
import { createDestination } from '../builder/destination.ts'
import { type Composed, createDraftKeeper, readKept } from '../builder/draft-keeper.ts'
import { holdsCard, readFragment } from '../builder/share-link.ts'
import { Toolbar } from '../builder/toolbar.tsx'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { createLoad, readyValue } from '../ui/load.tsx'
import '../styles/builder.css'

const TITLE = 'Card builder'

export default function BuilderPage(): JSX.Element {
  const { load } = createLoad(readKept)
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

function Builder(props: { kept: Composed }): JSX.Element {
  const [search, setSearch] = useSearchParams<{ channel: string; card: string }>()
  const location = useLocation()
  const navigate = useNavigate()
  const [gallery, setGallery] = createSignal(false)
  const { kept } = props
  const wanted = typeof search.channel === 'string' ? search.channel : undefined
  const builder = createBuilder(kept)
  const to = createDestination(builder, wanted === undefined ? kept.channel : { id: wanted, name: '' })
  createDraftKeeper(() => ({ text: builder.text(), card: builder.card(), channel: to.channel() }))

  /** Runs again when a link is opened inside the builder, which only changes the fragment. */
  async function takeShared(fragment: string): Promise<void> {
    if (!holdsCard(fragment)) return
    const shared = await readFragment(fragment)
    navigate(location.pathname + location.search, { replace: true, scroll: false })
    if (shared !== null) builder.take(shared, 'This card comes from the link.')
    else builder.say('This link’s card can’t be read. Copy the whole link and open it again.')
  }

  createEffect(on(() => location.hash, takeShared))
  onMount(async () => {
    if (typeof search.card !== 'string') return
    await to.open(search.card)
    // A reload keeps the edits made since.
    setSearch({ card: undefined }, { replace: true })
  })

  return (
    <BuilderContext.Provider value={builder}>
      <DashboardPage title={TITLE} wide actions={<Toolbar onExamples={() => setGallery(true)} />}>
        <Composer to={to} gallery={gallery()} onGallery={setGallery} />
      </DashboardPage>
    </BuilderContext.Provider>
  )
}
