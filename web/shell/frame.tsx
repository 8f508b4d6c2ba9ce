// What all pages share: the skip link, the page announcement, the shortcuts, the palette and the page error.
import { useLocation, useNavigate } from '@solidjs/router'
import { createEffect, ErrorBoundary, type JSX, lazy, on, onCleanup, onMount, Show, Suspense } from 'solid-js'
import { LiveRegion } from '../ui/live-region.tsx'
import { overlay, setOverlay } from '../ui/overlay.ts'
import { focusMain, PageAnnouncement } from '../ui/page-announcement.tsx'
import { createShortcuts, isTypedInto, listenForShortcuts } from '../ui/shortcuts.ts'
import { NewVersion } from './new-version.tsx'
import { PageError } from './page-error.tsx'
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
          createEffect(on(() => location.pathname, reset, { defer: true }))
          return <PageError error={error} />
        }}
      >
        <Suspense>{props.children}</Suspense>
      </ErrorBoundary>
      <PageAnnouncement />
      <LiveRegion />
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

function search(): void {
  const fields = [...document.querySelectorAll<HTMLElement>('input[type="search"]')]
  const visible = fields.find(field => field.getClientRects().length > 0)
  if (visible) visible.focus()
  else setOverlay('palette')
}

function leaveField(field: HTMLElement): void {
  const card = field.closest('article')
  if (card) card.focus()
  else focusMain()
}

function Overlays(): JSX.Element {
  const close = () => setOverlay(null)
  return (
    <ErrorBoundary fallback={(_, reset) => <CloseOverlay onClosed={reset} />}>
      <Suspense>
        <Show when={overlay() === 'palette'}>
          <Palette onClose={close} />
        </Show>
        <Show when={overlay() === 'shortcuts'}>
          <ShortcutList onClose={close} />
        </Show>
      </Suspense>
    </ErrorBoundary>
  )
}

/** Closes a dialog whose code didn't load, so that the next press tries again. */
function CloseOverlay(props: { onClosed: () => void }): JSX.Element {
  onMount(() => {
    setOverlay(null)
    props.onClosed()
  })
  return null
}
