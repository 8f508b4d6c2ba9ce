// The card builder. What is composed stays on this device until it is sent.
import { useSearchParams } from '@solidjs/router'
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { BuilderContext, createBuilder } from '../builder/builder.ts'
import { Composer } from '../builder/composer.tsx'
import { createDestination } from '../builder/destination.ts'
import { type Composed, createDraftKeeper, readKept } from '../builder/draft-keeper.ts'
import { readFragment } from '../builder/share-link.ts'
import { Toolbar } from '../builder/toolbar.tsx'
import { DashboardPage } from '../dashboard/page.tsx'
import { createLoad } from '../shell/load.tsx'
import '../styles/builder.css'

const TITLE = 'Card builder'

export default function BuilderPage(): JSX.Element {
  const { load } = createLoad(readKept)
  const kept = () => {
    const now = load()
    return now.state === 'ready' ? now.value : undefined
  }
  return (
    <Show
      when={kept()}
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
  const [gallery, setGallery] = createSignal(false)
  const { kept } = props
  const wanted = typeof search.channel === 'string' ? search.channel : undefined
  const builder = createBuilder(kept)
  const to = createDestination(builder, wanted === undefined ? kept.channel : { id: wanted, name: '' })
  createDraftKeeper(() => ({ text: builder.text(), card: builder.card(), channel: to.channel() }))

  onMount(async () => {
    const shared = await readFragment(location.hash)
    if (shared !== null) {
      history.replaceState(history.state, '', location.pathname + location.search)
      builder.take(shared, 'This card came with the link.')
    }
    if (typeof search.card !== 'string') return
    await to.open(search.card)
    // A reload goes on with what was made of it since.
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
