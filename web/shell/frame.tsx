// The frame of every page: the skip link, the announcement of the page, the shortcuts and dialogs, the page error.
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
          // The next page may work.
          createEffect(on(() => location.pathname, reset, { defer: true }))
          return <PageError error={error} />
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

/** Focuses the page's own search field if it has one. */
function search(): void {
  const fields = [...document.querySelectorAll<HTMLElement>('input[type="search"]')]
  const visible = fields.find(field => field.getClientRects().length > 0)
  if (visible) visible.focus()
  else setOverlay('palette')
}

/** Moves the focus to the field's card, or else to the page. */
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

/** A dialog whose code didn't load closes again, so that the next press tries once more. */
function CloseOverlay(props: { onClosed: () => void }): JSX.Element {
  onMount(() => {
    setOverlay(null)
    props.onClosed()
  })
  return null
}
