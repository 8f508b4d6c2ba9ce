// What is around every page: the way past the bar for who has no mouse, what is said when a page comes, the shortcuts,
// and what stands there when a page fails.
import { useLocation, useNavigate } from '@solidjs/router'
import {
  createEffect,
  ErrorBoundary,
  type JSX,
  lazy,
  Match,
  on,
  onCleanup,
  onMount,
  Suspense,
  Switch,
} from 'solid-js'
import { focusMain, PageAnnouncement } from '../ui/arrival.tsx'
import { overlay, setOverlay } from '../ui/palette-open.ts'
import { createShortcuts, isTypedInto, listenForShortcuts } from '../ui/shortcuts.ts'
import { Crash } from './crash.tsx'
import { NewVersion } from './new-version.tsx'
import './frame.css'

const Palette = lazy(() => import('./palette.tsx'))
const ShortcutList = lazy(() => import('./shortcut-list.tsx'))

export function Frame(props: { children: JSX.Element }): JSX.Element {
  const location = useLocation()
  createPageShortcuts()
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to content
      </button>
      <ErrorBoundary
        fallback={(error, reset) => {
          // Another page may be well.
          createEffect(on(() => location.pathname, reset, { defer: true }))
          return <Crash error={error} />
        }}
      >
        <Suspense>{props.children}</Suspense>
      </ErrorBoundary>
      <PageAnnouncement />
      <NewVersion />
      <Overlays />
    </>
  )
}

function createPageShortcuts(): void {
  const navigate = useNavigate()
  createShortcuts({
    palette: () => setOverlay('palette'),
    search,
    help: () => setOverlay('shortcuts'),
    leave: () => isTypedInto(document.activeElement) && leaveField(document.activeElement),
    home: () => navigate('/'),
    keys: () => navigate('/dashboard/keys'),
    usage: () => navigate('/dashboard/usage'),
  })
  onMount(() => onCleanup(listenForShortcuts()))
}

/** On the page itself, where it has a field for that. */
function search(): void {
  const fields = [...document.querySelectorAll<HTMLElement>('input[type="search"]')]
  const shown = fields.find(field => field.getClientRects().length > 0)
  if (shown) shown.focus()
  else setOverlay('palette')
}

/** To the card that the field is on, else to the page. */
function leaveField(field: HTMLElement): void {
  const card = field.closest('article')
  if (card) card.focus()
  else focusMain()
}

function Overlays(): JSX.Element {
  const close = () => setOverlay(null)
  return (
    <ErrorBoundary fallback={(_, reset) => <Retry onClosed={reset} />}>
      <Suspense>
        <Switch>
          <Match when={overlay() === 'palette'}>
            <Palette onClose={close} />
          </Match>
          <Match when={overlay() === 'shortcuts'}>
            <ShortcutList onClose={close} />
          </Match>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}

/** It could not be loaded: closed again, as if nothing had been pressed. */
function Retry(props: { onClosed: () => void }): JSX.Element {
  onMount(() => {
    setOverlay(null)
    props.onClosed()
  })
  return null
}
